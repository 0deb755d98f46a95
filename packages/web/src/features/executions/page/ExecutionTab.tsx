import type { Execution } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ComponentType, Suspense } from 'react';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { Upsell } from '../../../ui/page/Upsell.tsx';
import styles from './ExecutionTab.module.css';
import { tabViews } from './loadTab.ts';
import type { ExecutionTabProps } from './tabParts.ts';

export const tabs = [
  'overview',
  'gantt',
  'logs',
  'topology',
  'outputs',
  'events',
  'metrics',
  'dependencies',
  'auditlogs',
] as const;

/** Tabs that show the task runs of an execution. */
const withTaskRuns: ReadonlySet<string> = new Set(['gantt', 'logs', 'topology', 'outputs']);

const views: Record<string, ComponentType<ExecutionTabProps>> = { ...tabViews, auditlogs: AuditLogs };

function AuditLogs() {
  const { t } = useTranslation();
  return <Upsell title={t('execution.auditlogs')} text={t('execution.auditlogsText')} />;
}

export function ExecutionTab({ tab, ...props }: ExecutionTabProps & { tab: string }) {
  const View = views[tab] ?? tabViews.overview;
  return (
    <ErrorBoundary resetKey={tab}>
      <Suspense fallback={<Loading />}>
        {withTaskRuns.has(tab) && <MoreTaskRuns execution={props.execution} />}
        <View {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

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
