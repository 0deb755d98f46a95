import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ColumnChooser,
  DataTable,
  EmptyState,
  FilterBar,
  LinkButton,
  Page,
  Pager,
  pageSizeOf,
  rememberPageSize,
  SearchInput,
  useColumnMemory,
} from '../../../ui/index.ts';
import { flowColumns } from '../components/flowColumns.tsx';
import { NamespaceSelect } from '../components/NamespaceSelectLazy.tsx';
import { flowsQuery } from '../queries.ts';
import type { FlowsSearch } from '../search.ts';

export function FlowListPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/{-$tenant}/flows' });
  const navigate = useNavigate({ from: '/{-$tenant}/flows' });
  const size = pageSizeOf(search.size);
  const { data, error, refetch } = useQuery(flowsQuery({ ...search, size }));
  const columns = useMemo(() => flowColumns(t), [t]);
  const memory = useColumnMemory('flows', columns);
  const isFiltered = Boolean(search.q || search.namespace || search.labels);

  const change = (part: Partial<FlowsSearch>) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...part }) });
  const clear = () => void navigate({ search: ({ sort, size }) => ({ sort, size }) });

  return (
    <Page
      title={t('nav.flows')}
      actions={
        <LinkButton
          to="/{-$tenant}/flows/new"
          search={{ namespace: search.namespace }}
          leftSection={<IconPlus size={16} />}
        >
          {t('flow.create')}
        </LinkButton>
      }
    >
      <FilterBar
        onClear={isFiltered ? clear : undefined}
        tools={
          <ColumnChooser
            columns={columns}
            visibility={memory.visibility}
            onToggle={memory.toggle}
            onReset={memory.reset}
          />
        }
      >
        <SearchInput value={search.q} onChange={(q) => change({ q })} placeholder={t('flow.search')} />
        <NamespaceSelect value={search.namespace} onChange={(namespace) => change({ namespace })} />
      </FilterBar>
      <DataTable
        label={t('nav.flows')}
        columns={columns}
        visibility={memory.visibility}
        rows={data?.results}
        rowId={(flow) => `${flow.namespace}.${flow.id}`}
        isDimmed={(flow) => flow.disabled}
        onOpen={({ namespace, id }) =>
          void navigate({
            to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
            params: { namespace, id },
            search: {},
          })
        }
        sort={search.sort ?? 'id:asc'}
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
              illustration="wheel"
              title={t('flow.none')}
              text={t('flow.noneText')}
              action={
                <LinkButton to="/{-$tenant}/flows/new" search={{}}>
                  {t('flow.createFirst')}
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
