import { AppError, type ExecutionRecord, type Flow, type TaskRunRecord } from '@millrace/contract';
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
}

export interface Replayed {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
}

/**
 * A new execution that does another one again, from the beginning or from a task run on. `flow` is the revision to
 * run. What came before the chosen run, and what runs beside it, is taken over with its states and outputs.
 */
export function replay(
  flow: Flow,
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  wanted: Replay,
  environment: RunEnvironment,
): Replayed {
  const execution = copyOf(source.execution, flow, wanted);
  if (wanted.taskRunId === undefined)
    return { execution: { ...execution, state: createdState(wanted.now) }, taskRuns: [] };
  const { run, ids } = takeOver(flow, source, execution, wanted.now, environment);
  const wantedNode = run.nodes.get(ids.get(wanted.taskRunId) ?? '');
  if (!wantedNode)
    throw new AppError(
      'illegal-argument',
      `No task found: there is no task run "${wanted.taskRunId}" in the execution ${source.execution.id}.`,
    );
  const node = withItsFolder(run, wantedNode);
  takeBackAfter(run, node);
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) removeAfter(run, at);
  startAgain(run, node);
  run.moveExecution('RESTARTED');
  startSlas(run);
  return { execution: run.execution, taskRuns: [...run.nodes.values()].map((kept) => kept.record) };
}

/** The source of a replay carries a label that says so. */
export const replayedLabels = (execution: ExecutionRecord): ExecutionRecord => ({
  ...execution,
  labels: mergeLabels(execution.labels, [{ key: 'system.replayed', value: 'true' }]),
});

function copyOf(source: ExecutionRecord, flow: Flow, wanted: Replay): ExecutionRecord {
  const { outputs: _, overAt: __, memo: ___, scheduledAt: ____, inputs, ...kept } = source;
  const given = wanted.inputs ?? inputs;
  return {
    ...kept,
    ...(given ? { inputs: given } : {}),
    id: wanted.id,
    flowRevision: flow.revision,
    parentId: source.id,
    originalId: source.originalId,
    attemptNumber: source.attemptNumber + 1,
    labels: mergeLabels(source.labels, [{ key: 'system.replay', value: 'true' }]),
  };
}

/** Files of a shared folder are not taken over: whoever shares one starts again as a whole. */
function withItsFolder(run: Run, node: Node): Node {
  let chosen = node;
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    const control = run.index.controlOf(owner.task);
    if (control?.kind === 'container' && control.sharesDirectory) chosen = owner;
  }
  return chosen;
}

/** The chosen run starts as if it had never run; the control tasks around it are at work. */
function startAgain(run: Run, node: Node): void {
  reopenAncestors(run, node);
  run.startOver(node, moveTaskRun(createdState(run.now), 'RESTARTED', run.now));
}

/** What the plan puts after this run goes; what the plan runs beside it stays. */
function removeAfter(run: Run, node: Node): void {
  const { lane } = node;
  const plan = lane.branch === 'tasks' ? lane.group.plan : lane.group.branches[lane.branch];
  if (!plan) return;
  const dependents = plan.dependsOn ? dependentsOf(node.task.id, plan.dependsOn) : undefined;
  for (const other of [...lane.nodes]) {
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
