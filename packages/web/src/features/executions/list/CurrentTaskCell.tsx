import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { StateIcon } from '../../../ui/index.ts';
import { ExecutionLink } from '../ExecutionLink.tsx';
import { currentTaskQuery } from './currentTasks.ts';
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
