import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ResourceList, rangeParameters, useListView } from '../../ui/index.ts';
import { flowOrder, flowsQuery } from '../flows/index.ts';
import { useFilterFields } from '../listing/index.ts';
import { ExecutionsChart, useQueryWithStats } from '../stats/index.ts';
import { flowColumns } from './flowColumns.tsx';
import { useFlowActivity } from './useFlowActivity.ts';

const FlowBulkActions = lazy(() =>
  import('./FlowBulkActions.tsx').then((module) => ({ default: module.FlowBulkActions })),
);

const lastMonth = { kind: 'relative', duration: 'P30D' } as const;

interface FlowListProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** The namespace that the page around the list is about. */
  namespace?: string;
  empty: ReactNode;
}

/** The flows of everything, or of a namespace. */
export function FlowList({ name, namespace, empty }: FlowListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fields = useFilterFields('flow', {
    prominent: namespace ? ['labels'] : ['namespace', 'labels'],
    without: namespace ? ['namespace'] : [],
  });
  const view = useListView({ fields, ...flowOrder, ...(namespace && { fixed: { namespace } }) });
  const query = useQuery(flowsQuery(view.query));
  const activityOf = useFlowActivity(query.data?.results);
  const columns = useMemo(
    () => flowColumns(t, { activityOf, ofNamespace: namespace !== undefined }),
    [t, activityOf, namespace],
  );
  return (
    <ResourceList
      name={name}
      label={t('nav.flows')}
      placeholder={t('flow.search')}
      view={view}
      columns={columns}
      query={useQueryWithStats(query)}
      rowId={(flow) => `${flow.namespace}.${flow.id}`}
      isDimmed={(flow) => flow.disabled}
      onOpen={(flow) =>
        void navigate({
          to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
          params: { namespace: flow.namespace, id: flow.id },
          search: {},
        })
      }
      bulkActions={(selection, clear) => (
        <Suspense>
          <FlowBulkActions selection={selection} filters={view.filters} onDone={clear} />
        </Suspense>
      )}
      chart={
        <ExecutionsChart
          of="executions"
          filters={filtersOfPlace(view.filters)}
          range={lastMonth}
          onRange={(range) =>
            void navigate({
              to: '/{-$tenant}/executions',
              search: { ...filtersOfPlace(view.filters), ...rangeParameters(range) },
            })
          }
        />
      }
      empty={empty}
    />
  );
}

/** What a filter of flows means for their executions: where they are. Texts and labels of a flow are not theirs. */
const filtersOfPlace = (filters: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters).filter(([name]) => /^(filters\[)?(namespace|flowId|scope)\b/.test(name)),
  );
