import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { Upsell } from '../../../ui/Upsell.tsx';
import { ExecutionsOfFlow } from '../../executions/index.ts';
import type { FlowQueryData } from '../queries.ts';
import { FlowOverview } from './FlowOverview.tsx';
import { FlowTopology } from './FlowTopology.tsx';
import type { FlowTabName } from './flowTabs.ts';
import { FlowEditTab } from './loadTab.ts';

const FlowRevisions = lazy(() =>
  import('./FlowRevisions.tsx').then((module) => ({ default: module.FlowRevisions })),
);
const FlowTriggers = lazy(() =>
  import('./FlowTriggers.tsx').then((module) => ({ default: module.FlowTriggers })),
);
const FlowLogs = lazy(() => import('./FlowLogs.tsx').then((module) => ({ default: module.FlowLogs })));
const FlowMetrics = lazy(() =>
  import('../../metrics/index.ts').then((module) => ({ default: module.FlowMetrics })),
);
const FlowDependencies = lazy(() =>
  import('./FlowDependencies.tsx').then((module) => ({ default: module.FlowDependencies })),
);
const FlowConcurrency = lazy(() =>
  import('./FlowConcurrency.tsx').then((module) => ({ default: module.FlowConcurrency })),
);

export interface FlowTabProps {
  flow: FlowQueryData;
  /** The place in the page's header where the actions of a tab belong. */
  actions: HTMLElement | null;
  onExecute: () => void;
}

const views: Record<FlowTabName, ComponentType<FlowTabProps>> = {
  overview: FlowOverview,
  topology: FlowTopology,
  executions: ({ flow }) => <ExecutionsOfFlow namespace={flow.namespace} flowId={flow.id} />,
  edit: (props) => <FlowEditTab key={`${props.flow.namespace}.${props.flow.id}`} {...props} />,
  revisions: FlowRevisions,
  triggers: FlowTriggers,
  logs: FlowLogs,
  metrics: ({ flow }) => <FlowMetrics of={{ namespace: flow.namespace, flowId: flow.id }} />,
  dependencies: FlowDependencies,
  concurrency: FlowConcurrency,
  auditlogs: AuditLogs,
};

export function FlowTab({ tab, ...props }: FlowTabProps & { tab: FlowTabName }) {
  const View = views[tab];
  return (
    <ErrorBoundary resetKey={tab}>
      <Suspense fallback={<Loading />}>
        <View {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function AuditLogs() {
  const { t } = useTranslation();
  return <Upsell title={t('flow.auditlogs')} text={t('flow.auditlogsText')} />;
}
