import {
  AppError,
  type ExecutionRecord,
  type Flow,
  type Label,
  type TaskRunRecord,
} from '@millrace/contract';
import type { Plan } from '../control/plan.ts';
import { mergeLabels } from './acting.ts';
import type { Node } from './node.ts';
import { reopenAncestors, takeBackAfter } from './reopen.ts';
import type { Run, RunEnvironment } from './run.ts';
import { startSlas } from './sla.ts';
import { createdState, moveTaskRun } from './state.ts';
import { takeOver } from './takeOver.ts';

export interface Replay {
  /** The id of the new execution. */
  readonly id: string;
  readonly now: number;
  /** Where to start again; without it, from the beginning. */
  readonly taskRunId?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Labels of the new execution beside those of its source. */
  readonly labels?: readonly Label[];
}

export interface Replayed {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
}

/**
 * A new execution that replays another one, from the beginning or from a task run on. `flow` is the revision
 * to run. Task runs before the chosen one, and those beside it, are copied with their states and outputs.
 */
export function replay(
  flow: Flow,
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  wanted: Replay,
  environment: RunEnvironment,
): Replayed {
  if (wanted.taskRunId === undefined) {
    const execution = copyOf(source.execution, flow, wanted);
    return { execution: { ...execution, state: createdState(wanted.now) }, taskRuns: [] };
  }
  return replayFrom(flow, source, { ...wanted, taskRunId: wanted.taskRunId }, environment, (run, chosen) => {
    const node = withItsFolder(run, chosen);
    removeFollowing(run, node);
    startAgain(run, node);
  });
}

/** Copies an execution and lets `begin` decide how it continues at the chosen task run. */
export function replayFrom(
  flow: Flow,
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  wanted: Replay & { readonly taskRunId: string },
  environment: RunEnvironment,
  begin: (run: Run, node: Node) => void,
): Replayed {
  const { run, ids } = takeOver(
    flow,
    source,
    copyOf(source.execution, flow, wanted),
    wanted.now,
    environment,
  );
  const id = ids.get(wanted.taskRunId);
  const node = run.nodes.get(id ?? '');
  if (!node) throw new AppError('illegal-argument', missing(source, wanted.taskRunId));
  begin(run, node);
  run.moveExecution('RESTARTED');
  startSlas(run);
  return { execution: run.execution, taskRuns: [...run.nodes.values()].map((kept) => kept.record) };
}

function missing(
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  taskRunId: string,
): string {
  const known = source.taskRuns.find(({ id }) => id === taskRunId);
  return known
    ? `No task found: the flow to run has no task "${known.taskId}", which the execution is to continue from.`
    : `No task found: there is no task run "${taskRunId}" in the execution ${source.execution.id}.`;
}

/** Removes the runs that come after this one, in its own list and in those around it. */
export function removeFollowing(run: Run, node: Node): void {
  takeBackAfter(run, node);
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) removeAfter(run, at);
}

/** The source of a replay gets a label that says so. */
export const replayedLabels = (execution: ExecutionRecord): ExecutionRecord => ({
  ...execution,
  labels: mergeLabels(execution.labels, [{ key: 'system.replayed', value: 'true' }]),
});

function copyOf(source: ExecutionRecord, flow: Flow, wanted: Replay): ExecutionRecord {
  const { outputs: _, closedAt: __, memo, scheduledAt: ____, inputs, ...kept } = source;
  const given = wanted.inputs ?? inputs;
  return {
    ...kept,
    ...(given ? { inputs: given } : {}),
    ...(memo?.playground === undefined ? {} : { memo: { playground: memo.playground } }),
    id: wanted.id,
    flowRevision: flow.revision,
    parentId: source.id,
    originalId: source.originalId,
    attemptNumber: source.attemptNumber + 1,
    labels: mergeLabels(source.labels, [{ key: 'system.replay', value: 'true' }, ...(wanted.labels ?? [])]),
  };
}

/** The task with the shared folder starts again as a whole, because the files are not copied. */
export function withItsFolder(run: Run, node: Node): Node {
  let chosen = node;
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    const control = run.index.controlOf(owner.task);
    if (control?.kind === 'container' && control.sharesDirectory) chosen = owner;
  }
  return chosen;
}

/** Starts the chosen run as if it had never run, and reopens the control tasks around it. */
function startAgain(run: Run, node: Node): void {
  reopenAncestors(run, node);
  run.startOver(node, moveTaskRun(createdState(run.now), 'RESTARTED', run.now));
}

/** Removes the runs that the plan puts after this one; runs beside it stay. */
function removeAfter(run: Run, node: Node): void {
  const { lane } = node;
  const plan = lane.branch === 'tasks' ? lane.group.plan : lane.group.branches[lane.branch];
  if (!plan) return;
  const dependents = plan.dependsOn ? dependentsOf(node.task.id, plan.dependsOn) : undefined;
  // From the end, where the lane finds them at once.
  for (const other of lane.nodes.toReversed()) {
    if (other === node) continue;
    const isAfter = dependents ? dependents.has(other.task.id) : comesAfter(plan, node, other);
    if (isAfter) run.remove(other);
  }
}

function comesAfter(plan: Plan, node: Node, other: Node): boolean {
  if (other.unit !== node.unit) return plan.limit === 1 && other.unit > node.unit;
  const { tasks } = plan.unit(node.unit);
  return (
    tasks.findIndex((task) => task.id === other.task.id) > tasks.findIndex((task) => task.id === node.task.id)
  );
}

function dependentsOf(
  taskId: string,
  dependsOn: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [taskId];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const [task, needs] of dependsOn) {
      if (needs.includes(id) && !found.has(task)) {
        found.add(task);
        queue.push(task);
      }
    }
  }
  return found;
}
