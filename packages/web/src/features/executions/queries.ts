import { type Execution, executions, flows, logs, metrics, type QueryInputOf } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import type { FlowKey } from '../flows/index.ts';

/** How far a list looks back when no date is asked for. */
export const defaultTimeRange = 'P30D';
/** What a list of executions shows unless its address says otherwise. */
export const executionOrder = { defaultSort: 'state.startDate:desc', defaultRange: defaultTimeRange };

/** The executions that a list asks for, newest first and not from before thirty days ago unless it says so. */
export const executionsQuery = (search: Readonly<Record<string, unknown>> & { size: number }) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), search],
    queryFn: ({ signal }) =>
      call(executions.searchExecutions, {
        query: {
          ...search,
          sort: search.sort ?? 'state.startDate:desc',
          timeRange: search.startDate || search.endDate ? undefined : (search.timeRange ?? defaultTimeRange),
        } as QueryInputOf<typeof executions.searchExecutions>, // The list builds it from the server's own fields.
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Loops are drawn once, and without the task runs, which the page has already. */
export const executionGraph = (executionId: string) => ({
  queryKey: ['execution', currentTenant(), executionId, 'graph'],
  draw: (subflows: string | undefined, { signal }: { signal: AbortSignal }) =>
    call(executions.getExecutionGraph, {
      params: { executionId },
      query: { subflows, fold: true, runs: false },
      signal,
      failures: 'handled',
    }),
});

/** The flow of an execution as it is saved now. It may be gone, which is no failure of the page. */
export const latestFlowQuery = ({ namespace, id }: FlowKey) =>
  queryOptions({
    queryKey: ['flow', currentTenant(), namespace, id, 'latest'],
    queryFn: ({ signal }) => call(flows.getFlow, { params: { namespace, id }, signal, failures: 'handled' }),
    retry: false,
    staleTime: 10_000,
  });

/** The last error lines of an execution, oldest first, for its headline. */
export const errorLogsQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['logs', currentTenant(), executionId, 'errors'],
    queryFn: ({ signal }) =>
      call(logs.listLogs, {
        params: { executionId },
        query: { minLevel: 'ERROR' },
        signal,
        failures: 'handled',
      }),
  });

interface MetricsSearch {
  page: number;
  size: number;
  sort: string | undefined;
  taskRunId: string | undefined;
}

export const metricsQuery = (executionId: string, search: MetricsSearch) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), executionId, search],
    queryFn: ({ signal }) =>
      call(metrics.searchMetrics, { params: { executionId }, query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });

/** The text of the revision that an execution ran. */
export const executionSourceQuery = ({ namespace, flowId, flowRevision }: Execution) =>
  queryOptions({
    queryKey: ['flow', currentTenant(), namespace, flowId, 'source', flowRevision],
    queryFn: async ({ signal }) => {
      const { source } = await call(flows.getFlow, {
        params: { namespace, id: flowId },
        query: { source: true, revision: flowRevision, allowDeleted: true },
        signal,
        failures: 'handled',
      });
      return source ?? '';
    },
    // A revision never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The executions that were forked from this one, newest first. */
export const forksQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'forks', executionId],
    queryFn: ({ signal }) =>
      call(executions.searchExecutions, {
        query: { labels: [`${forkLabel}:${executionId}`], sort: 'state.startDate:desc', size: 25 },
        signal,
        failures: 'handled',
      }),
  });

/** The label of a fork; its value is the id of the execution that was forked. */
export const forkLabel = 'system.fork';
