import type { Execution } from '@millrace/contract';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { Upsell } from '../../../ui/Upsell.tsx';
import type { ExecutionSearch, KeepInAddress } from '../search.ts';
import { loadTab } from './loadTab.ts';

// The settings say which view an execution opens with: each comes when it is chosen.
const ExecutionOverview = lazy(() =>
  loadTab.overview().then((module) => ({ default: module.ExecutionOverview })),
);
const ExecutionGraph = lazy(() => loadTab.topology().then((module) => ({ default: module.ExecutionGraph })));
const ExecutionLogs = lazy(() => loadTab.logs().then((module) => ({ default: module.ExecutionLogs })));
const ExecutionOutputs = lazy(() =>
  loadTab.outputs().then((module) => ({ default: module.ExecutionOutputs })),
);
const ExecutionTimeline = lazy(() =>
  loadTab.gantt().then((module) => ({ default: module.ExecutionTimeline })),
);
const ExecutionMetrics = lazy(() =>
  loadTab.metrics().then((module) => ({ default: module.ExecutionMetrics })),
);
const ExecutionDependencies = lazy(() =>
  loadTab.dependencies().then((module) => ({ default: module.ExecutionDependencies })),
);

export const tabs = [
  'overview',
  'gantt',
  'logs',
  'topology',
  'outputs',
  'metrics',
  'dependencies',
  'auditlogs',
] as const;

export interface ExecutionTabProps {
  execution: Execution;
  isLive: boolean;
  /** The selected task run, shared by all tabs. */
  selectedId: string | undefined;
  onSelect: (taskRunId: string | undefined) => void;
  /** What the address says of the tab, and how it comes to say something else. */
  search: ExecutionSearch;
  keep: KeepInAddress;
}

const views: Record<string, ComponentType<ExecutionTabProps>> = {
  overview: ExecutionOverview,
  gantt: ExecutionTimeline,
  logs: ExecutionLogs,
  topology: ExecutionGraph,
  outputs: ExecutionOutputs,
  metrics: ExecutionMetrics,
  dependencies: ExecutionDependencies,
  auditlogs: AuditLogs,
};

function AuditLogs() {
  const { t } = useTranslation();
  return <Upsell title={t('execution.auditlogs')} text={t('execution.auditlogsText')} />;
}

export function ExecutionTab({ tab, ...props }: ExecutionTabProps & { tab: string }) {
  const View = views[tab] ?? ExecutionOverview;
  return (
    <ErrorBoundary resetKey={tab}>
      <Suspense fallback={<Loading />}>
        <View {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
