import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import {
  ColumnChooser,
  EmptyState,
  FilterBar,
  Pager,
  pageSizeOf,
  RefreshButtons,
  rememberPageSize,
  useAutoRefresh,
  useColumnMemory,
} from '../../../ui/index.ts';
import { executionsQuery } from '../queries.ts';
import type { ExecutionsSearch } from '../search.ts';
import { ExecutionTable } from './ExecutionTable.tsx';
import { executionColumns } from './executionColumns.tsx';
import { refreshEvery } from './refreshEvery.ts';
import { StateFilter } from './StateFilter.tsx';

/** The executions of one flow. Its order and page are kept here: the address belongs to the flow. */
export function ExecutionsOfFlow({ namespace, flowId }: { namespace: string; flowId: string }) {
  const { t } = useTranslation();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const auto = useAutoRefresh();
  const [view, setView] = useState<Partial<ExecutionsSearch>>({});
  const size = pageSizeOf(view.size);
  const { data, error, refetch } = useQuery({
    ...executionsQuery({ ...view, namespace, flowId, size }),
    refetchInterval: (query) => refreshEvery(query.state.data?.results, auto.on),
  });
  const columns = useMemo(
    () => executionColumns(t, { hiddenLabels: hiddenLabelsPrefixes, ofOneFlow: true }),
    [t, hiddenLabelsPrefixes],
  );
  const memory = useColumnMemory('flow-executions', columns);
  const change = (part: Partial<ExecutionsSearch>) =>
    setView((old) => ({ ...old, page: undefined, ...part }));
  return (
    <>
      <FilterBar
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
        <StateFilter value={view.state} onChange={(state) => change({ state })} />
      </FilterBar>
      <ExecutionTable
        columns={columns}
        visibility={memory.visibility}
        rows={data?.results}
        sort={view.sort ?? 'state.startDate:desc'}
        onSort={(sort) => change({ sort })}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState illustration="stillWater" title={t('flow.neverRan')} text={t('flow.neverRanText')} />
        }
      />
      {data && data.total > 0 && (
        <Pager
          page={view.page ?? 1}
          size={size}
          total={data.total}
          onPage={(page) => change({ page })}
          onSize={(next) => {
            rememberPageSize(next);
            change({ size: next });
          }}
        />
      )}
    </>
  );
}
