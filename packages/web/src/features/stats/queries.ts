import { type DailyExecutionStatistics, type LogLevel, type LogStatistics, stats } from '@millrace/contract';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { shownTimeZone } from '../../format/timeZone.ts';
import { type DateRange, rangeBounds } from '../../ui/list/dateRange.ts';
import { fitted, hasNoCounts } from './buckets.ts';

type Filters = Readonly<Record<string, unknown>>;
type FlowKey = { namespace: string; id: string };

/** The same filters as a list sends, over the same time. A relative range ends at the moment of the call. */
function windowed(filters: Filters, range: DateRange) {
  const { timeRange: _, startDate: __, endDate: ___, ...rest } = filters;
  return { ...rest, ...rangeBounds(range, Date.now(), parseIsoDuration), timeZone: shownTimeZone() };
}

const live = { placeholderData: keepPreviousData, staleTime: 10_000 } as const;

/** With `fits`, the window begins where its entries do: for a range that the user did not choose. */
export const dailyExecutionsQuery = (filters: Filters, range: DateRange, fits = false) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'executions', filters, range, shownTimeZone(), fits],
    queryFn: ({ signal }) => {
      const read = (body: ReturnType<typeof windowed>) =>
        call(stats.getDailyExecutions, { body, signal, failures: 'handled' });
      return fits ? fitted(windowed(filters, range), read, ofExecutions) : read(windowed(filters, range));
    },
    ...live,
  });

export const dailyTaskRunsQuery = (filters: Filters, range: DateRange, fits = false) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'taskRuns', filters, range, shownTimeZone(), fits],
    queryFn: ({ signal }) => {
      const read = (body: ReturnType<typeof windowed>) =>
        call(stats.getDailyTaskRuns, { body, signal, failures: 'handled' });
      return fits ? fitted(windowed(filters, range), read, ofExecutions) : read(windowed(filters, range));
    },
    ...live,
  });

export const dailyLogsQuery = (filters: Filters, range: DateRange, fits = false) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'logs', filters, range, shownTimeZone(), fits],
    queryFn: ({ signal }) => {
      const read = (window: ReturnType<typeof windowed>) =>
        call(stats.getDailyLogs, {
          // Here the lowest level goes by another name than in the search.
          body: { ...window, logLevel: filters.minLevel as LogLevel | undefined },
          signal,
          failures: 'handled',
        });
      return fits ? fitted(windowed(filters, range), read, ofLogs) : read(windowed(filters, range));
    },
    ...live,
  });

const ofExecutions = {
  startOf: ({ startDate }: DailyExecutionStatistics) => startDate,
  isEmpty: ({ executionCounts }: DailyExecutionStatistics) => hasNoCounts(executionCounts),
};

const ofLogs = {
  startOf: ({ timestamp }: LogStatistics) => timestamp,
  isEmpty: ({ counts }: LogStatistics) => hasNoCounts(counts),
};

export const executionsByNamespaceQuery = (filters: Filters, range: DateRange) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'byNamespace', filters, range, shownTimeZone()],
    queryFn: ({ signal }) =>
      call(stats.getExecutionsByNamespace, { body: windowed(filters, range), signal, failures: 'handled' }),
    ...live,
  });

/** The executions of the last thirty days of each of these flows, per day. */
export const dailyByFlowQuery = (flows: readonly FlowKey[]) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'byFlow', flows],
    queryFn: ({ signal }) =>
      call(stats.getDailyExecutionsByFlow, {
        body: { flows: [...flows], timeZone: shownTimeZone() },
        signal,
        failures: 'handled',
      }),
    enabled: flows.length > 0,
    ...live,
  });

/** The execution of each of these flows that ended last. */
export const latestByFlowQuery = (flows: readonly FlowKey[]) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'latest', flows],
    queryFn: ({ signal }) =>
      call(stats.getLatestExecutionsByFlow, { body: { flows: [...flows] }, signal, failures: 'handled' }),
    enabled: flows.length > 0,
    ...live,
  });

export const summaryQuery = (namespace: string | undefined) =>
  queryOptions({
    queryKey: ['stats', currentTenant(), 'summary', namespace],
    queryFn: ({ signal }) =>
      call(stats.getSummary, { body: namespace ? { namespace } : {}, signal, failures: 'handled' }),
    ...live,
  });

interface ListQuery<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** The query of a list with charts: refetching the list refetches its charts. */
export function useQueryWithStats<Data>({ data, error, refetch }: ListQuery<Data>): ListQuery<Data> {
  const client = useQueryClient();
  return {
    data,
    error,
    refetch: () => Promise.all([refetch(), client.invalidateQueries({ queryKey: ['stats'] })]),
  };
}
