import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import { ResourceList, useAutoRefresh, useListView } from '../../../ui/index.ts';
import { ChartSwitch, useChartMemory } from '../../../ui/list/ChartSwitch.tsx';
import { useFilterFields } from '../../listing/index.ts';
import { ExecutionsChart } from '../../stats/index.ts';
import { defaultTimeRange, executionsQuery } from '../queries.ts';
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
  empty: ReactNode;
}

/** The executions of everything, of a namespace or of one flow. */
export function ExecutionList({ name, of, empty }: ExecutionListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const fields = useFilterFields('execution', {
    prominent: of ? ['state'] : ['namespace', 'state'],
    without: of ? ['namespace', 'flowId'] : [],
  });
  const view = useListView({
    fields,
    defaultSort: 'state.startDate:desc',
    defaultRange: defaultTimeRange,
    ...(of && { fixed: of }),
  });
  const auto = useAutoRefresh();
  const chart = useChartMemory(name);
  // What lies between two dates in the past does not change by itself.
  const isLive = view.range?.kind !== 'absolute';
  const { data, error, refetch } = useQuery({
    ...executionsQuery(view.query),
    refetchInterval: (query) => refreshEvery(query.state.data?.results, auto.on && isLive),
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
      fields={fields}
      columns={columns}
      data={data}
      error={error}
      onRefresh={() => void refetch()}
      {...(isLive && { auto })}
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
      tools={<ChartSwitch {...chart} />}
      chart={
        chart.isShown &&
        view.range && (
          <ExecutionsChart
            of="executions"
            filters={view.filters}
            range={view.range}
            onRange={view.setRange}
            refetchInterval={auto.on && isLive && 10_000}
          />
        )
      }
      empty={empty}
    />
  );
}
