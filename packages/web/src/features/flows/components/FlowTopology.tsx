import type { Flow } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorBoundary, Loading } from '../../../ui/index.ts';
import { flowGraphQuery } from '../queries.ts';

const Topology = lazy(() =>
  import('../../topology/index.ts').then((module) => ({ default: module.Topology })),
);

/** The graph of a saved flow, to look at. */
export function FlowTopology({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const { data: graph, error } = useQuery(flowGraphQuery(flow));
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
        <Topology graph={graph} />
      </Suspense>
    </ErrorBoundary>
  );
}
