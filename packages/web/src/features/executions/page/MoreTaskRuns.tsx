import type { Execution } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import styles from './ExecutionTab.module.css';

/** Says that a view holds only a part of the task runs, and where the others are. */
export function MoreTaskRuns({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const text = moreTaskRuns(execution, t);
  if (text === undefined) return null;
  const { namespace, flowId, id } = execution;
  return (
    <p className={styles.more} role="status">
      {text}{' '}
      <Link
        to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
        params={{ namespace, flowId, id, tab: 'outputs' }}
        search={{}}
      >
        {t('taskRun.findOthers')}
      </Link>{' '}
      ·{' '}
      <Link to="/{-$tenant}/taskruns" search={{ namespace, flowId }}>
        {t('taskRun.allOfFlow')}
      </Link>
    </p>
  );
}

export const moreTaskRuns = (
  { taskRunList = [], taskRunTotal }: Execution,
  t: TFunction,
): string | undefined =>
  taskRunTotal === undefined
    ? undefined
    : t('taskRun.shown', { shown: formatNumber(taskRunList.length), total: formatNumber(taskRunTotal) });
