import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../EmptyState.tsx';
import { RefreshButtons, type useAutoRefresh } from '../filters/RefreshButtons.tsx';
import { ColumnChooser } from '../table/ColumnChooserLazy.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/DataTable.tsx';
import { Pager } from '../table/Pager.tsx';
import type { Selection } from '../table/selection.ts';
import { useColumnMemory } from '../table/useColumnMemory.ts';
import type { FilterField } from './condition.ts';
import type { UsualRange } from './dateRange.ts';
import { ListFilters } from './ListFilters.tsx';
import type { ListView } from './useListView.ts';

interface ResourceListProps<Row extends object> {
  /** Names what is remembered of this list in the browser: columns, saved searches. */
  name: string;
  label: string;
  view: ListView;
  fields: readonly FilterField[];
  placeholder?: string;
  ranges?: readonly UsualRange[];
  columns: readonly Column<Row>[];
  /** What the server answered; undefined until it has. */
  data: { results: readonly Row[]; total: number } | undefined;
  error: Error | null;
  onRefresh: () => void;
  /** Given for lists that refresh themselves. */
  auto?: ReturnType<typeof useAutoRefresh>;
  rowId: (row: Row) => string;
  isDimmed?: (row: Row) => boolean;
  onOpen?: (row: Row) => void;
  bulkActions?: (selection: Selection<Row>, clear: () => void) => ReactNode;
  /** What a row unfolds to. */
  details?: (row: Row) => ReactNode;
  /** Between the filters and the rows. */
  chart?: ReactNode;
  /** Further tools at the right end of the bar. */
  tools?: ReactNode;
  /** Shown when there is nothing at all, not even without filters. */
  empty: ReactNode;
}

/** A whole list: filters, chart, rows with their actions, pages, and what to say when there is nothing. */
export function ResourceList<Row extends object>(props: ResourceListProps<Row>) {
  const { name, view, columns, data, error, auto, onRefresh, ...rest } = props;
  const memory = useColumnMemory(name, columns);
  return (
    <>
      <ListFilters
        name={name}
        view={view}
        fields={props.fields}
        placeholder={props.placeholder}
        {...(props.ranges && { ranges: props.ranges })}
        tools={
          <>
            {props.tools}
            <RefreshButtons auto={auto} onRefresh={onRefresh} />
            <ColumnChooser
              columns={columns}
              visibility={memory.visibility}
              onToggle={memory.toggle}
              onReset={memory.reset}
            />
          </>
        }
      />
      {props.chart}
      <DataTable
        {...rest}
        columns={columns}
        visibility={memory.visibility}
        rows={data?.results}
        total={data?.total}
        sort={view.sort}
        onSort={view.setSort}
        error={error}
        onRetry={onRefresh}
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
