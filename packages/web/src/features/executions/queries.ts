import { executions, logs, metrics } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import type { ExecutionsSearch } from './search.ts';

/** How far a list looks back when no date is asked for. */
export const defaultTimeRange = 'P30D';

export const executionsQuery = (search: Partial<ExecutionsSearch> & { size: number }) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), search],
    queryFn: ({ signal }) =>
      call(executions.searchExecutions, {
        query: {
          ...search,
          sort: search.sort ?? 'state.startDate:desc',
          timeRange: search.startDate || search.endDate ? undefined : (search.timeRange ?? defaultTimeRange),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const executionGraphQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), executionId, 'graph'],
    queryFn: ({ signal }) => call(executions.getExecutionGraph, { params: { executionId }, signal }),
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
  sort?: string;
  taskRunId: string | undefined;
}

export const metricsQuery = (executionId: string, search: MetricsSearch) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), executionId, search],
    queryFn: ({ signal }) =>
      call(metrics.searchMetrics, { params: { executionId }, query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
