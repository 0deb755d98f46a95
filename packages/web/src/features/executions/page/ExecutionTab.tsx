import { type ComponentType, Suspense } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { Upsell } from '../../../ui/Upsell.tsx';
import type { ExecutionTabProps } from './executionTabProps.ts';
import { tabViews } from './loadTab.ts';
import { MoreTaskRuns } from './MoreTaskRuns.tsx';

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
