import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ResourceList, useListView } from '../../ui/index.ts';
import { flowsQuery } from '../flows/index.ts';
import { useFilterFields } from '../listing/index.ts';
import { flowColumns } from './flowColumns.tsx';
import { useFlowActivity } from './useFlowActivity.ts';

const FlowBulkActions = lazy(() =>
  import('./FlowBulkActions.tsx').then((module) => ({ default: module.FlowBulkActions })),
);

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
  const view = useListView({ fields, defaultSort: 'id:asc', ...(namespace && { fixed: { namespace } }) });
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
      query={query}
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
      empty={empty}
    />
  );
}
