import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ResourceList, refreshMs, useListView, useLive } from '../../../ui/index.ts';
import { ofFlow, useFilterFields } from '../../listing/index.ts';
import { triggersQuery } from '../queries.ts';
import { TriggerLogs } from './TriggerLogs.tsx';
import { triggerColumns } from './triggerColumns.tsx';

const TriggerBulkActions = lazy(() =>
  import('./TriggerBulkActions.tsx').then((module) => ({ default: module.TriggerBulkActions })),
);

interface TriggerListProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** The flow that the page around the list is about. */
  of?: { namespace: string; flowId: string };
  empty: ReactNode;
}

/** Triggers with what they remember: when they fire next, what holds them, their backfills. */
export function TriggerList({ name, of, empty }: TriggerListProps) {
  const { t } = useTranslation();
  const fields = useFilterFields('trigger', {
    prominent: of ? [] : ['namespace'],
    without: of ? ['namespace', 'flowId', 'scope'] : [],
  });
  const view = useListView({ fields, defaultSort: 'triggerId:asc', ...(of && { fixed: ofFlow(of) }) });
  const live = useLive(view);
  const isOfOneFlow = of !== undefined;
  const query = useQuery({
    ...triggersQuery(view.query),
    refetchInterval: live.isOn && refreshMs,
  });
  const columns = useMemo(() => triggerColumns(t, { ofOneFlow: isOfOneFlow }), [t, isOfOneFlow]);
  return (
    <ResourceList
      name={name}
      label={t('nav.triggers')}
      placeholder={t('trigger.search')}
      view={view}
      columns={columns}
      query={query}
      live={live}
      rowId={({ triggerContext: { namespace, flowId, triggerId } }) => `${namespace}.${flowId}.${triggerId}`}
      isDimmed={({ triggerContext }) => triggerContext.disabled}
      details={({ triggerContext }) => <TriggerLogs trigger={triggerContext} />}
      bulkActions={(selection, clear) => (
        <Suspense>
          <TriggerBulkActions selection={selection} filters={view.filters} onDone={clear} />
        </Suspense>
      )}
      empty={empty}
    />
  );
}
