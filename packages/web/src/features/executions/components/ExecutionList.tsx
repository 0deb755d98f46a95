import type { StateType } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import { ResourceList, refreshMs, useListView, useLive } from '../../../ui/index.ts';
import { ofFlow, useFilterFields } from '../../listing/index.ts';
import { ExecutionsChart, useQueryWithStats } from '../../stats/index.ts';
import { executionOrder, executionsQuery } from '../queries.ts';
import { executionColumns } from './executionColumns.tsx';
import { refreshEvery } from './refreshEvery.ts';

const ExecutionBulkActions = lazy(() =>
  import('./ExecutionBulkActions.tsx').then((module) => ({ default: module.ExecutionBulkActions })),
);

interface ExecutionListProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** What the page around the list is about. */
  of?: { namespace: string; flowId?: string };
  /** Only these states, whatever the address says; all of them otherwise. */
  states?: readonly StateType[];
  empty: ReactNode;
}

/** The executions of everything, of a namespace or of one flow. */
export function ExecutionList({ name, of, states, empty }: ExecutionListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const fields = useFilterFields('execution', {
    prominent: of ? ['state'] : ['namespace', 'state'],
    without: [...(of ? (['namespace', 'flowId'] as const) : []), ...(states ? (['state'] as const) : [])],
  });
  const view = useListView({
    fields,
    ...executionOrder,
    ...(of && { fixed: { ...fixedOf(of), ...(states && { state: [...states] }) } }),
  });
  const live = useLive(view);
  const query = useQuery({
    ...executionsQuery(view.query),
    refetchInterval: ({ state }) => refreshEvery(state.data?.results, live.isOn),
  });
  const columns = useMemo(
    () => executionColumns(t, { hiddenLabels: hiddenLabelsPrefixes, ofOneFlow: of?.flowId !== undefined }),
    [t, hiddenLabelsPrefixes, of?.flowId],
  );
  return (
    <ResourceList
      name={name}
      label={t('nav.executions')}
      placeholder={t('execution.search')}
      view={view}
      columns={columns}
      query={useQueryWithStats(query)}
      live={live}
      rowId={(execution) => execution.id}
      onOpen={({ namespace, flowId, id }) =>
        void navigate({
          to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
          params: { namespace, flowId, id },
          search: {},
        })
      }
      bulkActions={(selection, clear) => (
        <Suspense>
          <ExecutionBulkActions selection={selection} filters={view.filters} onDone={clear} />
        </Suspense>
      )}
      chart={
        // The chart counts ends; of what has not ended there is nothing to count.
        view.range &&
        !states && (
          <ExecutionsChart
            of="executions"
            filters={view.filters}
            range={view.range}
            onRange={view.setRange}
            refetchInterval={live.isOn && refreshMs}
          />
        )
      }
      empty={empty}
    />
  );
}

const fixedOf = ({ namespace, flowId }: NonNullable<ExecutionListProps['of']>) =>
  flowId === undefined ? { namespace } : ofFlow({ namespace, flowId });
