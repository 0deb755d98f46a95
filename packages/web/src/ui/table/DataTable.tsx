import { Checkbox, VisuallyHidden } from '@mantine/core';
import { type ColumnDef, type RowSelectionState, useTable } from '@tanstack/react-table';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrokenPart } from '../ErrorBoundary.tsx';
import { BulkBar } from './BulkBar.tsx';
import { type Column, type Features, features } from './column.ts';
import styles from './DataTable.module.css';
import { ariaSort, SortHeader } from './SortHeader.tsx';

interface DataTableProps<Row extends object> {
  label: string;
  columns: readonly Column<Row>[];
  visibility: Record<string, boolean>;
  /** Undefined while the first page is on its way: the table then shows a skeleton of the usual size. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  isDimmed?: (row: Row) => boolean;
  onOpen?: (row: Row) => void;
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** Actions on the selected rows; given these, rows can be selected. */
  bulkActions?: (rows: Row[], clear: () => void) => ReactNode;
  error?: Error | null;
  onRetry?: () => void;
  empty: ReactNode;
  skeletonRows?: number;
}

const noRows: never[] = [];

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, visibility, sort, onSort, bulkActions, skeletonRows = 10 } = props;
  const { t } = useTranslation();
  const [selection, setSelection] = useState<RowSelectionState>({});
  const definitions = useMemo(() => columns.map((column) => define(column)), [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: (rows as Row[] | undefined) ?? noRows, // The table never writes to its data.
    getRowId: rowId,
    manualSorting: true,
    state: { columnVisibility: visibility, rowSelection: selection },
    onRowSelectionChange: setSelection,
  });

  if (props.error && !rows) return <BrokenPart error={props.error} onRetry={props.onRetry ?? (() => {})} />;
  if (rows?.length === 0) return props.empty;

  // Rows that left the page (deleted, filtered away) must not stay selected unseen.
  const selected = table.getRowModel().rows.filter((row) => row.getIsSelected());
  const clear = () => setSelection({});
  const leaves = table.getVisibleLeafColumns();

  return (
    <div className={styles.frame}>
      {bulkActions && selected.length > 0 && (
        <BulkBar count={selected.length} onClear={clear}>
          {bulkActions(
            selected.map((row) => row.original),
            clear,
          )}
        </BulkBar>
      )}
      <table className={styles.table} aria-label={props.label} aria-busy={!rows}>
        <thead>
          <tr>
            {bulkActions && (
              <th className={styles.check} data-hide="sm">
                <Checkbox
                  size="xs"
                  checked={selected.length > 0 && table.getIsAllRowsSelected()}
                  indeterminate={selected.length > 0 && !table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                  aria-label={t('table.selectAll')}
                />
              </th>
            )}
            {leaves.map(({ id, columnDef }) => {
              const { width, align, hideBelow, sortField, hidesHeader } = columnDef.meta ?? {};
              const header = String(columnDef.header);
              return (
                <th
                  key={id}
                  style={{ width }}
                  data-align={align}
                  data-hide={hideBelow}
                  aria-sort={ariaSort(sortField, sort)}
                >
                  {sortField && onSort ? (
                    <SortHeader label={header} field={sortField} sort={sort} onSort={onSort} />
                  ) : hidesHeader ? (
                    <VisuallyHidden>{header}</VisuallyHidden>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {!rows &&
            Array.from({ length: skeletonRows }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike.
              <tr key={index} className={styles.skeleton}>
                {bulkActions && <td className={styles.check} data-hide="sm" />}
                {leaves.map((column) => (
                  <td key={column.id} data-hide={column.columnDef.meta?.hideBelow}>
                    <span style={{ width: `${45 + ((index * 7 + column.id.length * 13) % 40)}%` }} />
                  </td>
                ))}
              </tr>
            ))}
          {table.getRowModel().rows.map((row, index) => (
            <tr
              key={row.id}
              tabIndex={index === 0 ? 0 : -1}
              data-selected={row.getIsSelected() || undefined}
              data-dimmed={props.isDimmed?.(row.original) || undefined}
              onDoubleClick={() => props.onOpen?.(row.original)}
              onKeyDown={(event) => {
                if (event.target !== event.currentTarget) return;
                if (event.key === 'Enter') props.onOpen?.(row.original);
                if (event.key !== ' ' || !bulkActions) return;
                event.preventDefault();
                row.toggleSelected();
              }}
            >
              {bulkActions && (
                <td className={styles.check} data-hide="sm">
                  <Checkbox
                    size="xs"
                    checked={row.getIsSelected()}
                    onChange={row.getToggleSelectedHandler()}
                    aria-label={t('table.select', { name: row.id })}
                  />
                </td>
              )}
              {row.getVisibleCells().map((cell) => (
                <td
                  key={cell.id}
                  data-align={cell.column.columnDef.meta?.align}
                  data-hide={cell.column.columnDef.meta?.hideBelow}
                >
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function define<Row extends object>(column: Column<Row>): ColumnDef<Features, Row> {
  const { id, header, cell, width, align, hideBelow, sortField, hidesHeader } = column;
  return {
    id,
    header,
    cell: ({ row }) => cell(row.original),
    meta: {
      ...(width !== undefined && { width }),
      ...(align && { align }),
      ...(hideBelow && { hideBelow }),
      ...(sortField && { sortField }),
      ...(hidesHeader && { hidesHeader }),
    },
  };
}

/** Arrow keys walk through the rows; one row is in the tab order at a time. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const row = (event.target as HTMLElement).closest('tr');
  const next =
    event.key === 'ArrowDown'
      ? row?.nextElementSibling
      : event.key === 'ArrowUp'
        ? row?.previousElementSibling
        : undefined;
  if (!(next instanceof HTMLElement) || !row) return;
  event.preventDefault();
  row.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
