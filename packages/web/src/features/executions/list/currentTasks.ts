import { type CurrentTask, type Execution, flowGrid, isTerminal, type StateType } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { batched } from './batched.ts';

const refreshMs = 3_000;
/** As many as the server takes in one call. */
const most = 100;

/** Executions in these states ended without a task to look at. */
const withoutTask: ReadonlySet<StateType> = new Set([
  'SUCCESS',
  'WARNING',
  'CANCELLED',
  'SKIPPED',
  'RETRIED',
]);

const readCurrentTask = batched(most, async (ids: readonly string[]) => {
  const found = await call(flowGrid.listCurrentTasks, { query: { ids: ids.join(',') }, failures: 'handled' });
  return new Map<string, CurrentTask>(found.map((task) => [task.executionId, task]));
});

/** The rows of a list ask one by one; their questions become one call. */
export const currentTaskQuery = ({ id, state }: Execution) =>
  queryOptions({
    queryKey: ['currentTask', currentTenant(), id, state.current, state.histories.length],
    queryFn: async () => (await readCurrentTask(id)) ?? null,
    enabled: !withoutTask.has(state.current),
    refetchInterval: !isTerminal(state.current) && refreshMs,
  });
