import { executions, logs } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { executionQuery } from '../../api/followExecution.ts';
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

export function useKillExecutions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      each(ids, (executionId) => call(executions.killExecution, { params: { executionId } })),
    onSettled: (_count, _error, ids) => refresh(client, ids),
  });
}

export function useDeleteExecutions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      each(ids, (executionId) => call(executions.deleteExecution, { params: { executionId } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['executions'] }),
  });
}

/** One call after the other; answers with how many went well, because each failure is shown by itself. */
async function each(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<number> {
  let done = 0;
  for (const id of ids) {
    const isDone = await act(id).then(
      () => true,
      () => false,
    );
    if (isDone) done += 1;
  }
  return done;
}

async function refresh(client: ReturnType<typeof useQueryClient>, ids: readonly string[]): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['executions'] }),
    ...ids.map((id) => client.invalidateQueries({ queryKey: executionQuery(id).queryKey })),
  ]);
}
