import {
  AppError,
  type ExecutionRecord,
  type Flow,
  isTerminal,
  type TaskRunRecord,
} from '@millrace/contract';
import { withoutFailure } from './end.ts';
import type { Node } from './node.ts';
import { reopenAncestors } from './reopen.ts';
import { type Replay, type Replayed, removeFollowing, replay, replayFrom, withItsFolder } from './replay.ts';
import type { Run, RunEnvironment } from './run.ts';
import { createdState, moveTaskRun } from './state.ts';

/** The label of a fork; its value is the id of the execution that was forked. */
export const forkLabel = 'system.fork';

export interface Fork extends Omit<Replay, 'labels'> {
  readonly taskRunId: string;
  /** The task run ends with these outputs instead of running again. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/**
 * A new execution that continues another one from a task run on, with other outputs of it, other inputs or
 * another text of the flow. Without outputs the task runs again, as in a replay.
 */
export function fork(
  flow: Flow,
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  { outputs, ...wanted }: Fork,
  environment: RunEnvironment,
): Replayed {
  const labelled = { ...wanted, labels: [{ key: forkLabel, value: source.execution.id }] };
  if (outputs === undefined) return replay(flow, source, labelled, environment);
  return replayFrom(flow, source, labelled, environment, (run, node) => {
    refuseEdit(run, node);
    removeFollowing(run, node);
    reopenAncestors(run, node);
    endWith(run, node, outputs);
  });
}

function refuseEdit(run: Run, node: Node): void {
  const { taskId, dynamic } = node.record;
  if (dynamic) {
    const message = `The outputs of "${taskId}" cannot be changed, because its parent task generated it; fork from the parent task.`;
    throw new AppError('illegal-argument', message);
  }
  const folder = withItsFolder(run, node);
  if (folder === node) return;
  const message = `The outputs of "${taskId}" cannot be changed, because the files of "${folder.record.taskId}" around it are not copied; fork from "${folder.record.taskId}".`;
  throw new AppError('illegal-argument', message);
}

/** Ends a run at once. The ended runs below it stay, because later tasks may read their outputs. */
function endWith(run: Run, node: Node, outputs: Readonly<Record<string, unknown>>): void {
  removeOpenBelow(run, node);
  const running = moveTaskRun(createdState(run.now), 'RUNNING', run.now);
  run.replaceState(node, moveTaskRun(running, 'SUCCESS', run.now));
  const { copied: _, memo, ...record } = node.record;
  const { wakeAt: __, ...remembered } = withoutFailure(memo) ?? {};
  node.record = { ...record, ...(memo === undefined ? {} : { memo: remembered }) };
  run.update(node, { outputs, attempts: [], edited: true });
}

function removeOpenBelow(run: Run, node: Node): void {
  for (const lane of node.group?.allLanes() ?? []) {
    for (const child of [...lane.nodes]) {
      if (isTerminal(child.record.state.current)) removeOpenBelow(run, child);
      else run.remove(child);
    }
  }
}
