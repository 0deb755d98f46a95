import { type ExecutionRecord, type Flow, isTerminal, type TaskRunRecord } from '@millrace/contract';
import { dropUnknown, load } from './load.ts';
import type { Node } from './node.ts';
import { Run, type RunEnvironment } from './run.ts';
import { createdState, moveTaskRun } from './state.ts';
import { wasResumed } from './waiting.ts';

interface Rows {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
}

export interface TakenOver {
  readonly run: Run;
  /** The id that a task run of the source has in the new execution. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * A new execution with copies of another one's task runs. Ended runs are copied with their states, outputs
 * and dates, and marked as copied; open runs start again. Runs of tasks that this revision no longer has are
 * left out.
 */
export function takeOver(
  flow: Flow,
  source: Rows,
  execution: ExecutionRecord,
  now: number,
  environment: RunEnvironment,
): TakenOver {
  const ids = new Map(source.taskRuns.map(({ id }) => [id, environment.newId()]));
  const copies = source.taskRuns.map((taskRun) => copyOf(taskRun, execution.id, ids));
  const run = new Run(flow, { ...execution, state: createdState(now) }, environment);
  run.now = now;
  load(run, copies);
  dropUnknown(run);
  for (const node of [...run.nodes.values()]) {
    if (run.nodes.has(node.record.id) && !isTerminal(node.record.state.current)) startOver(run, node);
  }
  return { run, ids };
}

/** No worker runs the copy of an open run: leaves are dispatched again, control tasks continue. */
function startOver(run: Run, node: Node): void {
  const control = run.index.controlOf(node.task);
  const worksOn =
    node.record.state.current === 'RUNNING' &&
    ((control?.kind === 'container' && !control.sharesDirectory && node.group?.plan !== undefined) ||
      (control?.kind === 'waiting' && wasResumed(node)));
  const created = createdState(run.now);
  if (worksOn) return run.replaceState(node, moveTaskRun(created, 'RUNNING', run.now));
  run.startOver(node, created);
}

function copyOf(
  taskRun: TaskRunRecord,
  executionId: string,
  ids: ReadonlyMap<string, string>,
): TaskRunRecord {
  const { parentId, memo, ...record } = taskRun;
  // Child executions belong to the source, so a repeated call starts new ones.
  const { children: _, restarted: __, ...remembered } = memo ?? {};
  return {
    ...record,
    id: ids.get(record.id)!,
    executionId,
    ...(parentId === undefined ? {} : { parentId: ids.get(parentId)! }),
    ...(memo === undefined ? {} : { memo: remembered }),
    ...(isTerminal(record.state.current) ? { copied: true } : {}),
  };
}
