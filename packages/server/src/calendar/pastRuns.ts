import {
  type CalendarExecution,
  isTerminal,
  maxCalendarExecutions,
  type StateType,
} from '@millrace/contract';
import type { BucketWidth, Filter, FlowKey, RunBucket, Store } from '@millrace/store';

export type Counts = Partial<Record<StateType, number>>;

interface PastQuery {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly timeZone: string;
  readonly scope: readonly Filter[];
}

/** Executions that started in the window, by their start: all of them in buckets, and the total of each flow. */
export async function countPast(
  { from, to, now, timeZone, scope }: PastQuery,
  width: BucketWidth,
  store: Store,
): Promise<{ buckets: readonly RunBucket[]; flows: ReadonlyMap<string, { key: FlowKey; counts: Counts }> }> {
  const end = Math.min(to, now + 1);
  if (end <= from) return { buckets: [], flows: new Map() };
  const query = { from, to: end, timeZone, filters: scope };
  const [all, byFlow] = await Promise.all([
    store.executionStatistics({ ...query, width }),
    store.executionStatistics({ ...query, width: 'month', groupBy: 'flow' }),
  ]);
  const flows = byFlow.map(({ namespace = '', flowId = '', buckets }) => {
    const counts = addCounts(buckets.map((bucket) => bucket.counts));
    return [`${namespace}/${flowId}`, { key: { namespace, id: flowId }, counts }] as const;
  });
  return { buckets: all[0]?.buckets ?? [], flows: new Map(flows) };
}

/** The buckets of these flows, by `namespace/id`. */
export async function countFlows(
  { from, to, now, timeZone, scope }: PastQuery,
  flows: readonly FlowKey[],
  width: BucketWidth,
  store: Store,
): Promise<ReadonlyMap<string, readonly RunBucket[]>> {
  const end = Math.min(to, now + 1);
  if (end <= from || flows.length === 0) return new Map();
  const series = await store.executionStatistics({
    from,
    to: end,
    timeZone,
    filters: scope,
    width,
    flows,
    groupBy: 'flow',
  });
  return new Map(series.map(({ namespace, flowId, buckets }) => [`${namespace}/${flowId}`, buckets]));
}

/** Each execution that started in the window. Only called when they are few. */
export async function listPast({ from, to, scope }: PastQuery, store: Store): Promise<CalendarExecution[]> {
  const { results } = await store.listExecutions({
    filters: [
      ...scope,
      { field: 'startDate', operation: 'GREATER_THAN_OR_EQUAL_TO', value: from },
      { field: 'startDate', operation: 'LESS_THAN', value: to },
    ],
    sort: [{ field: 'state.startDate', descending: false }],
    page: 1,
    size: maxCalendarExecutions,
  });
  return results.map(({ execution: { id, namespace, flowId, state } }) => {
    const [first, last] = [state.histories[0], state.histories.at(-1)];
    return {
      id,
      namespace,
      flowId,
      state: state.current,
      startDate: new Date(first?.date ?? from).toISOString(),
      ...(last && isTerminal(state.current) ? { endDate: new Date(last.date).toISOString() } : {}),
    };
  });
}

const maxRunning = 500;

/** When the executions that run now started, by `namespace/id` of their flow. */
export async function runningSince(
  scope: readonly Filter[],
  store: Store,
): Promise<ReadonlyMap<string, { readonly key: FlowKey; readonly starts: number[] }>> {
  const { results } = await store.listExecutions({
    filters: [...scope, { field: 'state', operation: 'EQUALS', value: 'RUNNING' }],
    page: 1,
    size: maxRunning,
  });
  const running = new Map<string, { key: FlowKey; starts: number[] }>();
  for (const { execution } of results) {
    const { namespace, flowId, state } = execution;
    const key = `${namespace}/${flowId}`;
    const known = running.get(key) ?? { key: { namespace, id: flowId }, starts: [] };
    known.starts.push(state.histories[0]?.date ?? 0);
    running.set(key, known);
  }
  return running;
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const counts of all) {
    for (const [state, count] of Object.entries(counts)) {
      // `as`: the keys of counts are states.
      const name = state as StateType;
      sum[name] = (sum[name] ?? 0) + count;
    }
  }
  return sum;
}

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, each) => sum + each, 0);
