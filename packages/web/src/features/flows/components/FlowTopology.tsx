import type { Flow } from '@millrace/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorBoundary, Loading } from '../../../ui/index.ts';
import { useSubflowGraph } from '../../subflows/index.ts';
import { flowGraph } from '../queries.ts';
import { Topology } from './loadTab.ts';

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

/** The graph of a saved flow, to look at. Its subflows can be opened in their place. */
export function FlowTopology({ flow }: { flow: Flow }) {
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
        <Topology graph={graph} subflows={subflows} />
      </Suspense>
    </ErrorBoundary>
  );
}
