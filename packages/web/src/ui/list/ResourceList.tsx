import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../EmptyState.tsx';
import { RefreshButtons } from '../filters/RefreshButtons.tsx';
import { ColumnChooser } from '../table/ColumnChooserLazy.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/DataTable.tsx';
import { Pager } from '../table/Pager.tsx';
import type { Selection } from '../table/selection.ts';
import { useColumnMemory } from '../table/useColumnMemory.ts';
import { ChartSwitch, useChartMemory } from './ChartSwitch.tsx';
import type { UsualRange } from './dateRange.ts';
import { ListFilters } from './ListFilters.tsx';
import { useLastPage } from './useLastPage.ts';
import type { ListView } from './useListView.ts';
import type { Live } from './useLive.ts';

/** What a list needs of the query that reads its rows. */
interface ListQuery<Row> {
  /** What the server answered; undefined until it has. */
  data: { results: readonly Row[]; total: number } | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

interface ResourceListProps<Row extends object> {
  /** Names what is remembered of this list in the browser: columns, saved searches, whether its chart is shown. */
  name: string;
  label: string;
  view: ListView;
  placeholder?: string;
  ranges?: readonly UsualRange[];
  columns: readonly Column<Row>[];
  query: ListQuery<Row>;
  /** Given for lists that refresh themselves. */
  live?: Live;
  rowId: (row: Row) => string;
  isDimmed?: (row: Row) => boolean;
  onOpen?: (row: Row) => void;
  bulkActions?: (selection: Selection<Row>, clear: () => void) => ReactNode;
  /** What a row unfolds to. */
  details?: (row: Row) => ReactNode;
  /** Between the filters and the rows, unless the user hides it. */
  chart?: ReactNode;
  /** Shown when there is nothing at all, not even without filters. */
  empty: ReactNode;
}

/** A whole list: filters, chart, rows with their actions, pages, and what to say when there is nothing. */
export function ResourceList<Row extends object>(props: ResourceListProps<Row>) {
  const { name, view, columns, query, live, placeholder, ranges, chart, ...rest } = props;
  const { data, error } = query;
  const refresh = () => void query.refetch();
  useLastPage(view, data);
  const frame = useElementSize();
  const memory = useColumnMemory(name, columns, frame.width);
  const chartMemory = useChartMemory(name);
  return (
    <>
      <ListFilters
        name={name}
        view={view}
        placeholder={placeholder}
        {...(ranges && { ranges })}
        tools={
          <>
            {chart && <ChartSwitch {...chartMemory} />}
            <RefreshButtons auto={live?.auto} onRefresh={refresh} />
            <ColumnChooser
              columns={columns}
              visibility={memory.visibility}
              onToggle={memory.toggle}
              onReset={memory.reset}
            />
          </>
        }
      />
      {/* A list that failed says so once: what its chart asked failed with it. */}
      {chartMemory.isShown && (data || !error) && chart}
      <DataTable
        {...rest}
        frame={frame}
        showsAll={memory.isChosen}
        columns={columns}
        visibility={memory.visibility}
        rows={data?.results}
        total={data?.total}
        sort={view.sort}
        onSort={view.setSort}
        error={error}
        onRetry={refresh}
        empty={view.isFiltered ? <NothingMatches onClear={view.clear} /> : props.empty}
      />
      {data && data.total > 0 && (
        <Pager
          page={view.page}
          size={view.size}
          total={data.total}
          onPage={view.setPage}
          onSize={view.setSize}
        />
      )}
    </>
  );
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      illustration="sieve"
      title={t('list.noMatch')}
      text={t('list.noMatchText')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('filter.clear')}
        </Button>
      }
    />
  );
}
