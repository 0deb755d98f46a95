import type { Flow } from '@millrace/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense, useMemo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, ErrorBoundary, Loading } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { Upsell } from '../../../ui/page/Upsell.tsx';
import { ExecutionsOfFlow } from '../../executions/index.ts';
import { FlowTests } from '../../flowTests/index.ts';
import { useSubflowGraph } from '../../subflows/index.ts';
import { flowGraph } from '../queries.ts';
import { FlowOverview } from './FlowOverview.tsx';
import type { FlowTabProps } from './flowTabProps.ts';
import { FlowEditTab, Topology } from './loadTab.ts';

const FlowRevisions = lazyPart(() => import('../revisions/FlowRevisions.tsx'), 'FlowRevisions');
const FlowTriggers = lazyPart(() => import('./FlowTriggers.tsx'), 'FlowTriggers');
const FlowCalendar = lazyPart(() => import('./FlowCalendar.tsx'), 'FlowCalendar');
const LogSearch = lazyPart(() => import('../../logs/index.ts'), 'LogSearch');
const FlowGridView = lazyPart(() => import('../../grid/index.ts'), 'FlowGridView');
const FlowMetrics = lazyPart(() => import('./FlowMetrics.tsx'), 'FlowMetrics');
const FlowDependencies = lazyPart(() => import('./FlowDependencies.tsx'), 'FlowDependencies');
const FlowConcurrency = lazyPart(() => import('./FlowConcurrency.tsx'), 'FlowConcurrency');

const views: Record<FlowTabName, ComponentType<FlowTabProps>> = {
  overview: FlowOverview,
  topology: FlowTopology,
  executions: ({ flow }) => <ExecutionsOfFlow namespace={flow.namespace} flowId={flow.id} />,
  grid: FlowRuns,
  edit: (props) => <FlowEditTab key={`${props.flow.namespace}.${props.flow.id}`} {...props} />,
  tests: FlowTests,
  revisions: FlowRevisions,
  triggers: FlowTriggers,
  calendar: FlowCalendar,
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

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

/** The graph of a saved flow, to look at. Its subflows can be opened in their place. */
function FlowTopology({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const { subflows: open } = useSearch({ from });
  const navigate = useNavigate({ from });
  const { graph, error, subflows } = useSubflowGraph(flowGraph(flow), {
    open,
    onOpen: (names) =>
      void navigate({ to: '.', search: (old) => ({ ...old, subflows: names }), replace: true }),
  });
  if (error)
    return (
      <EmptyState
        illustration="closedGate"
        title={t('flow.noTopology')}
        text={t('flow.noTopologyText')}
        detail={error.message}
      />
    );
  if (!graph) return <Loading />;
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <Topology graph={graph} flowId={flow.id} subflows={subflows} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The states of every task in the last executions. */
function FlowRuns({ flow: { namespace, id } }: { flow: Flow }) {
  const { page, size } = useSearch({ from });
  const navigate = useNavigate({ from });
  return (
    <FlowGridView
      namespace={namespace}
      id={id}
      page={page}
      size={size}
      onPage={(place) => void navigate({ to: '.', search: (old) => ({ ...old, ...place }) })}
    />
  );
}

export const flowTabs = [
  'overview',
  'topology',
  'executions',
  'grid',
  'edit',
  'tests',
  'revisions',
  'triggers',
  'calendar',
  'logs',
  'metrics',
  'dependencies',
  'concurrency',
  'auditlogs',
] as const;
type FlowTabName = (typeof flowTabs)[number];

/** Tabs that take exactly the height that is left and scroll inside themselves. */
export const fillsPage = (tab: FlowTabName): boolean =>
  tab === 'edit' || tab === 'tests' || tab === 'topology' || tab === 'grid' || tab === 'dependencies';

/** What the executions and triggers of one flow have written. */
function FlowLogs({ flow: { namespace, id } }: { flow: Flow }) {
  const of = useMemo(() => ({ namespace, flowId: id }), [namespace, id]);
  return <LogSearch name="flow-logs" of={of} />;
}
