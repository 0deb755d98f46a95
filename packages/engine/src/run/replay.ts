import { AppError, type ExecutionRecord, type Flow, type TaskRunRecord } from '@millrace/contract';
import type { Plan } from '../control/plan.ts';
import { mergeLabels } from './acting.ts';
import { forgetUnknown, load } from './load.ts';
import type { Lane, Node } from './node.ts';
import { Run, type RunEnvironment } from './run.ts';
import { createdState, moveExecution, moveTaskRun } from './state.ts';

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
  const run = new Run(flow, source.execution, environment);
  load(run, source.taskRuns);
  forgetUnknown(run);
  const wantedNode = run.nodes.get(wanted.taskRunId);
  if (!wantedNode)
    throw new AppError(
      'illegal-argument',
      `No task found: there is no task run "${wanted.taskRunId}" in the execution ${source.execution.id}.`,
    );
  const node = withItsFolder(run, wantedNode);
  removeAccompanying(run);
  removeDescendants(run, node);
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) removeAfter(run, at);
  return {
    execution: { ...execution, state: moveExecution(source.execution.state, 'RESTARTED', wanted.now) },
    taskRuns: renamed(run, node, wanted, environment),
  };
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

function removeAccompanying(run: Run): void {
  for (const node of [...run.nodes.values()]) {
    if (run.nodes.has(node.record.id) && node.lane.branch !== 'tasks') run.remove(node);
  }
}

function removeDescendants(run: Run, node: Node): void {
  for (const lane of node.group?.allLanes() ?? []) for (const child of [...lane.nodes]) run.remove(child);
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

/** The kept runs under new ids. The chosen one starts again, those above it are at work. */
function renamed(
  run: Run,
  chosen: Node,
  wanted: Replay,
  environment: RunEnvironment,
): readonly TaskRunRecord[] {
  const ids = new Map([...run.nodes.keys()].map((id) => [id, environment.newId()]));
  const above = new Set<Lane['group']['owner']>();
  for (let owner = chosen.lane.group.owner; owner; owner = owner.lane.group.owner) above.add(owner);
  return [...run.nodes.values()].map((node) => {
    const { parentId, ...record } = node.record;
    const copy: TaskRunRecord = {
      ...record,
      id: ids.get(record.id)!,
      executionId: wanted.id,
      ...(parentId === undefined ? {} : { parentId: ids.get(parentId)! }),
    };
    if (node === chosen) {
      const { outputs: _, memo: __, ...fresh } = copy;
      return { ...fresh, state: moveTaskRun(record.state, 'RESTARTED', wanted.now) };
    }
    return above.has(node) ? { ...copy, state: moveTaskRun(record.state, 'RUNNING', wanted.now) } : copy;
  });
}
