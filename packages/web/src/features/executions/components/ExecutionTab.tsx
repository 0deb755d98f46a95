import type { Execution, LogLevel } from '@millrace/contract';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { Upsell } from '../../../ui/Upsell.tsx';
import { ExecutionGraph } from './ExecutionGraph.tsx';
import { ExecutionLogs } from './ExecutionLogs.tsx';
import { ExecutionOutputs } from './ExecutionOutputs.tsx';
import { ExecutionOverview } from './ExecutionOverview.tsx';
import { ExecutionTimeline } from './ExecutionTimeline.tsx';

const ExecutionMetrics = lazy(() =>
  import('./ExecutionMetrics.tsx').then((module) => ({ default: module.ExecutionMetrics })),
);

const ExecutionDependencies = lazy(() =>
  import('./ExecutionDependencies.tsx').then((module) => ({ default: module.ExecutionDependencies })),
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
  /** The lowest level that the address of the log asks for. */
  level: LogLevel | undefined;
  onLevel: (level: LogLevel) => void;
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
