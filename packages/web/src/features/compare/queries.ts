import { type Execution, executionActions, executions, type LogEntry, logs } from '@millrace/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { ofFlow } from '../listing/index.ts';

/** The last execution of the same flow that succeeded before this one started; null when there is none. */
export const lastSuccessQuery = (execution: Execution | undefined) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'lastSuccess', execution?.id],
    queryFn: execution ? ({ signal }) => findLastSuccess(execution, signal) : skipToken,
  });

async function findLastSuccess({ id, namespace, flowId, state }: Execution, signal: AbortSignal) {
  const { results } = await call(executions.searchExecutions, {
    query: {
      ...ofFlow({ namespace, flowId }),
      state: ['SUCCESS'],
      endDate: state.startDate,
      sort: 'state.startDate:desc',
      size: 2,
    },
    signal,
    failures: 'handled',
  });
  return results.find((other) => other.id !== id) ?? null;
}

const choices = 20;

/** The latest executions of a flow to choose from; words narrow them. */
export const choicesQuery = (flow: { namespace: string; flowId: string } | undefined, q: string) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'choices', flow, q],
    queryFn: async ({ signal }) => {
      const { results } = await call(executions.searchExecutions, {
        query: {
          ...(flow && ofFlow(flow)),
          ...(q !== '' && { q }),
          sort: 'state.startDate:desc',
          size: choices,
        },
        signal,
        failures: 'handled',
      });
      return results;
    },
  });

export const taskRunLogQuery = (executionId: string, taskRunId: string) =>
  queryOptions({
    queryKey: ['logs', currentTenant(), executionId, 'taskRun', taskRunId],
    queryFn: ({ signal }): Promise<LogEntry[]> =>
      call(logs.listLogs, { params: { executionId }, query: { taskRunId }, signal, failures: 'handled' }),
  });

/** The properties of a task as they render with the values of one task run. */
export const propertiesQuery = (executionId: string, taskRunId: string) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), executionId, 'properties', taskRunId],
    queryFn: ({ signal }) =>
      call(executionActions.renderProperties, {
        params: { executionId, taskRunId },
        signal,
        failures: 'handled',
      }),
  });
