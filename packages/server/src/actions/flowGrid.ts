import {
  type CurrentTask,
  type FlowGrid,
  type GridCell,
  type GridTask,
  isTerminal,
  type StateType,
  worstState,
} from '@millrace/contract';
import { presentExecution, taskTree } from '@millrace/engine';
import type { Filter, TaskStateCount } from '@millrace/store';
import { notPlayground } from '../alerts/rules/playground.ts';
import type { Product } from '../product.ts';
import { findFlow } from './findFlow.ts';

/** The first and the last task runs of one execution that are counted; all of a longer one would take too long. */
const maxTaskRuns = 10_000;

type Parts = Pick<Product, 'store' | 'flows' | 'clock'>;

interface GridRequest {
  readonly namespace: string;
  readonly id: string;
  readonly page: number;
  readonly size: number;
}

/** The states of all tasks in the last executions of a flow. Reads neither outputs nor attempts. */
export async function readFlowGrid(
  { namespace, id, page, size }: GridRequest,
  { store, flows, clock }: Parts,
): Promise<FlowGrid> {
  const { flow } = await findFlow({ flows }, { namespace, id }, undefined, true);
  const equals = (field: string, value: string): Filter => ({ field, operation: 'EQUALS', value });
  const { results, total } = await store.listExecutions({
    page,
    size,
    filters: [equals('namespace', namespace), equals('flowId', id), notPlayground],
  });
  const ids = results.map(({ execution }) => execution.id);
  const counts = groupBy(await store.countTaskStates(ids, maxTaskRuns), 'executionId');
  const now = clock();
  const executions = results.map(({ execution }) => {
    const { state } = presentExecution(execution, [], now);
    const own = counts.get(execution.id) ?? [];
    return {
      id: execution.id,
      state,
      flowRevision: execution.flowRevision,
      ...(execution.trigger === undefined ? {} : { triggerId: execution.trigger.id }),
      cells: cellsOf(own),
      isPartial: own.reduce((sum, { count }) => sum + count, 0) >= 2 * maxTaskRuns,
    };
  });
  const tasks = taskTree(flow);
  return { tasks: [...tasks, ...removedTasks(tasks, [...counts.values()].flat())], executions, total };
}

export function cellsOf(counts: readonly TaskStateCount[]): GridCell[] {
  return [...groupBy(counts, 'taskId')].map(([taskId, states]) => {
    // `!`, here and below: a group has at least one entry.
    const state = worstState(states.map((entry) => entry.state))!;
    const shown = states.find((entry) => entry.state === state)!;
    const ended = states.flatMap(({ durationMs }) => durationMs ?? []);
    return {
      taskId,
      state,
      counts: Object.fromEntries(states.map((entry) => [entry.state, entry.count])),
      taskRunId: shown.taskRunId,
      startDate: new Date(Math.min(...states.map(({ firstStartedAt }) => firstStartedAt))).toISOString(),
      attempts: Math.max(...states.map(({ attempts }) => attempts)),
      ...(ended.length === 0 ? {} : { durationMs: Math.max(...ended) }),
    };
  });
}

/** Tasks that ran, but that the latest revision does not have. */
function removedTasks(tasks: readonly GridTask[], counts: readonly TaskStateCount[]): GridTask[] {
  const known = new Set(tasks.map(({ id }) => id));
  const removed = new Set(counts.map(({ taskId }) => taskId).filter((taskId) => !known.has(taskId)));
  return [...removed].map((id) => ({ id, type: '', depth: 0, branch: 'removed' }));
}

/** The task that each execution is at. Executions that ended well are at none. */
export async function findCurrentTasks(
  executionIds: readonly string[],
  { store }: Pick<Product, 'store'>,
): Promise<CurrentTask[]> {
  const counts = await store.countTaskStates([...new Set(executionIds)], maxTaskRuns);
  return [...groupBy(counts, 'executionId').values()].flatMap((states) => currentTask(states) ?? []);
}

const stopped: ReadonlySet<StateType> = new Set(['FAILED', 'KILLED']);

/** A container starts before the tasks inside it, so the latest start is the innermost task. */
export function currentTask(states: readonly TaskStateCount[]): CurrentTask | undefined {
  const open = states.filter(({ state }) => !isTerminal(state));
  const candidates = open.length > 0 ? open : states.filter(({ state }) => stopped.has(state));
  const latest = candidates.reduce<TaskStateCount | undefined>(
    (found, entry) => (found && found.lastStartedAt > entry.lastStartedAt ? found : entry),
    undefined,
  );
  if (!latest) return undefined;
  const { executionId, taskId, taskRunId, state } = latest;
  const others = new Set(candidates.map((entry) => entry.taskId)).size - 1;
  return { executionId, taskId, taskRunId, state, others };
}

/** `Map.groupBy` needs Node 21. */
function groupBy(
  counts: readonly TaskStateCount[],
  key: 'executionId' | 'taskId',
): ReadonlyMap<string, readonly TaskStateCount[]> {
  const groups = new Map<string, TaskStateCount[]>();
  for (const entry of counts) {
    const group = groups.get(entry[key]);
    if (group) group.push(entry);
    else groups.set(entry[key], [entry]);
  }
  return groups;
}
