import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, LinkButton, ResourceList, refreshMs, useListView, useLive } from '../../../ui/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import { triggersQuery } from '../queries.ts';
import { TriggerLogs } from './TriggerLogs.tsx';
import { triggerColumns } from './triggerColumns.tsx';

const TriggerBulkActions = lazy(() =>
  import('./TriggerBulkActions.tsx').then((module) => ({ default: module.TriggerBulkActions })),
);

/** Every trigger with what it remembers: when it fires next, what holds it, its backfill. */
export function TriggerList() {
  const { t } = useTranslation();
  const fields = useFilterFields('trigger', { prominent: ['namespace'] });
  const view = useListView({ fields, defaultSort: 'triggerId:asc' });
  const live = useLive(view);
  const query = useQuery({
    ...triggersQuery(view.query),
    refetchInterval: live.isOn && refreshMs,
  });
  const columns = useMemo(() => triggerColumns(t), [t]);
  return (
    <ResourceList
      name="triggers"
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
      empty={
        <EmptyState
          illustration="wheel"
          title={t('trigger.none')}
          text={t('trigger.noneText')}
          action={
            <LinkButton to="/{-$tenant}/flows" search={{}}>
              {t('trigger.toFlows')}
            </LinkButton>
          }
        />
      }
    />
  );
}
