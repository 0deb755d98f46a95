import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import {
  ColumnChooser,
  EmptyState,
  FilterBar,
  FilterPlaceholder,
  LinkButton,
  Page,
  Pager,
  pageSizeOf,
  RefreshButtons,
  rememberPageSize,
  SearchInput,
  useAutoRefresh,
  useColumnMemory,
} from '../../../ui/index.ts';
import { NamespaceSelect } from '../../flows/index.ts';
import { ExecutionTable } from '../components/ExecutionTable.tsx';
import { executionColumns } from '../components/executionColumns.tsx';
import { refreshEvery } from '../components/refreshEvery.ts';
import { executionsQuery } from '../queries.ts';
import type { ExecutionsSearch } from '../search.ts';

const ExecutionFilters = lazy(() =>
  import('../components/ExecutionFilters.tsx').then((module) => ({ default: module.ExecutionFilters })),
);

export function ExecutionListPage() {
  const { t } = useTranslation();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const search = useSearch({ from: '/{-$tenant}/executions' });
  const navigate = useNavigate({ from: '/{-$tenant}/executions' });
  const auto = useAutoRefresh();
  const size = pageSizeOf(search.size);
  const { data, error, refetch } = useQuery({
    ...executionsQuery({ ...search, size }),
    refetchInterval: (query) => refreshEvery(query.state.data?.results, auto.on),
  });
  const columns = useMemo(
    () => executionColumns(t, { hiddenLabels: hiddenLabelsPrefixes }),
    [t, hiddenLabelsPrefixes],
  );
  const memory = useColumnMemory('executions', columns);
  const { q, namespace, flowId, state, labels, timeRange, startDate, endDate, triggerExecutionId } = search;
  const isFiltered = [
    q,
    namespace,
    flowId,
    state,
    labels,
    timeRange,
    startDate,
    endDate,
    triggerExecutionId,
  ].some((value) => value !== undefined);

  const change = (part: Partial<ExecutionsSearch>) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...part }) });
  const clear = () => void navigate({ search: ({ sort, size }) => ({ sort, size }) });

  return (
    <Page title={t('nav.executions')}>
      <FilterBar
        onClear={isFiltered ? clear : undefined}
        tools={
          <>
            <RefreshButtons auto={auto} onRefresh={() => void refetch()} />
            <ColumnChooser
              columns={columns}
              visibility={memory.visibility}
              onToggle={memory.toggle}
              onReset={memory.reset}
            />
          </>
        }
      >
        <SearchInput value={q} onChange={(next) => change({ q: next })} placeholder={t('execution.search')} />
        <NamespaceSelect value={namespace} onChange={(next) => change({ namespace: next })} />
        <Suspense
          fallback={
            <>
              <FilterPlaceholder label={t('filter.state')} width={150} />
              <FilterPlaceholder label={t('filter.timeRange')} width={168} />
            </>
          }
        >
          <ExecutionFilters search={search} onChange={change} />
        </Suspense>
      </FilterBar>
      <ExecutionTable
        columns={columns}
        visibility={memory.visibility}
        rows={data?.results}
        sort={search.sort ?? 'state.startDate:desc'}
        onSort={(sort) => change({ sort })}
        error={error}
        onRetry={() => void refetch()}
        empty={
          isFiltered ? (
            <EmptyState
              illustration="sieve"
              title={t('list.noMatch')}
              text={t('list.noMatchText')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('filter.clear')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              illustration="stillWater"
              title={t('execution.none')}
              text={t('execution.noneText')}
              action={
                <LinkButton to="/{-$tenant}/flows" search={{}}>
                  {t('execution.chooseFlow')}
                </LinkButton>
              }
            />
          )
        }
      />
      {data && data.total > 0 && (
        <Pager
          page={search.page ?? 1}
          size={size}
          total={data.total}
          onPage={(page) => change({ page })}
          onSize={(next) => {
            rememberPageSize(next);
            change({ size: next });
          }}
        />
      )}
    </Page>
  );
}
