import { type CurrentTask, type Execution, flowGrid, isTerminal, type StateType } from '@millrace/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { StateIcon } from '../../../ui/index.ts';
import { ExecutionLink } from '../ExecutionLink.tsx';
import styles from './ExecutionList.module.css';

/** The task that an execution is at, or that it stopped at. It asks only while its column is shown. */
export function CurrentTaskCell({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const { data } = useQuery(currentTaskQuery(execution));
  if (!data) return null;
  const { taskId, taskRunId, state, others } = data;
  return (
    <span className={styles.task}>
      <span style={{ color: `var(--mr-state-${state.toLowerCase()}-text)` }} title={t(`state.${state}`)}>
        <StateIcon state={state} />
      </span>
      <ExecutionLink {...execution} tab="gantt" taskRunId={taskRunId} className={styles.taskName}>
        {taskId}
      </ExecutionLink>
      {others > 0 && (
        <span className={styles.others}>{t('execution.otherTasks', { number: formatNumber(others) })}</span>
      )}
    </span>
  );
}

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
const currentTaskQuery = ({ id, state }: Execution) =>
  queryOptions({
    queryKey: ['currentTask', currentTenant(), id, state.current, state.histories.length],
    queryFn: async () => (await readCurrentTask(id)) ?? null,
    enabled: !withoutTask.has(state.current),
    refetchInterval: !isTerminal(state.current) && refreshMs,
  });

/** Collects the questions of one moment into calls of at most `most` ids. */
export function batched<T>(
  most: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let open: { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, T>> } | undefined;
  return async (id) => {
    if (!open || open.ids.size >= most) {
      const ids = new Set<string>();
      const answer = Promise.resolve().then(async () => {
        // The rows of a list are drawn in one go, and their effects run after it.
        await new Promise((resolve) => setTimeout(resolve));
        if (open?.ids === ids) open = undefined;
        return read([...ids]);
      });
      open = { ids, answer };
    }
    open.ids.add(id);
    return (await open.answer).get(id);
  };
}
