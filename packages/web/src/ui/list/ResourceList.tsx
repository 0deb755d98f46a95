import { ActionIcon, Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { afterPaint } from '../afterPaint.ts';
import type { Live } from '../filters/RefreshButtons.tsx';
import { RefreshButtons } from '../filters/RefreshButtons.tsx';
import { Hint } from '../Hint.tsx';
import { lazyPart } from '../lazyPart.tsx';
import { EmptyState } from '../page/EmptyState.tsx';
import { ColumnChooser } from '../table/ColumnChooserLazy.tsx';
import { type Column, type Selection, useColumnMemory } from '../table/column.ts';
import { DataTable } from '../table/DataTable.tsx';
import { Pager } from '../table/Pager.tsx';
import type { RangePreset } from './dateRange.ts';
import type { ExportLinks } from './ExportMenu.tsx';
import { ListFilters } from './ListFilters.tsx';
import styles from './ResourceList.module.css';
import type { ListView } from './useListView.ts';
import { useLastPage } from './useListView.ts';

const ExportMenu = lazyPart(() => afterPaint().then(() => import('./ExportMenu.tsx')), 'ExportMenu');

/** What a list needs of the query that reads its rows. */
interface ListQuery<Row> {
  /** The response of the server; undefined until it arrives. */
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
  ranges?: readonly RangePreset[];
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
  unfoldedId?: string | undefined;
  /** Given for lists that can be downloaded: the addresses of all rows that the filters find. */
  exports?: ExportLinks;
  /** Further tools of the list, before the others. */
  tools?: ReactNode;
  /** Between the filters and the rows, unless the user hides it. */
  chart?: ReactNode;
  /** Shown when there is nothing at all, not even without filters. */
  empty: ReactNode;
}

/** A whole list: filters, chart, rows with their actions, pages, and what to say when there is nothing. */
export function ResourceList<Row extends object>(props: ResourceListProps<Row>) {
  const { name, view, columns, query, live, placeholder, ranges, chart, exports, tools, ...rest } = props;
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
            {tools}
            {chart && <ChartSwitch {...chartMemory} />}
            <RefreshButtons auto={live?.auto} onRefresh={refresh} />
            {exports && (
              <Suspense
                fallback={
                  <ActionIcon component="span" variant="default" size={34} aria-hidden="true">
                    <IconDownload size={16} stroke={1.7} />
                  </ActionIcon>
                }
              >
                <ExportMenu {...exports} />
              </Suspense>
            )}
            <ColumnChooser
              columns={columns}
              visibility={memory.visibility}
              onToggle={memory.toggle}
              onReset={memory.reset}
            />
          </>
        }
      />
      <div className={styles.body}>
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
        {/* A list that is empty or failed says so once. */}
        {chartMemory.isShown && (data ? data.total > 0 : !error) && chart && (
          <div className={styles.chart}>{chart}</div>
        )}
      </div>
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

/** Whether a list shows its chart, remembered for each list. */
function useChartMemory(list: string) {
  const [isShown, setShown] = useState(() => readStored(`chart:${list}`) !== 'false');
  return {
    isShown,
    toggle: () => {
      writeStored(`chart:${list}`, String(!isShown));
      setShown(!isShown);
    },
  };
}

function ChartSwitch({ isShown, toggle }: ReturnType<typeof useChartMemory>) {
  const { t } = useTranslation();
  const label = t(isShown ? 'chart.hide' : 'chart.show');
  return (
    <Hint label={label}>
      <ActionIcon variant="default" size={34} onClick={toggle} aria-label={label} aria-pressed={isShown}>
        <IconChartBar size={16} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
}
