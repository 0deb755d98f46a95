import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { type ColumnDef, type RowSelectionState, type Updater, useTable } from '@tanstack/react-table';
import { Fragment, type PointerEvent, type ReactNode, type Ref, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart } from '../ErrorBoundary.tsx';
import { Skeleton } from '../Loading.tsx';
import { type Column, type ColumnMeta, type Features, features, type Selection } from './column.ts';
import styles from './DataTable.module.css';
import { moveBetweenRows } from './moveBetweenRows.ts';
import { BulkBar, Check } from './selection.tsx';

interface DataTableProps<Row extends object> {
  label: string;
  columns: readonly Column<Row>[];
  visibility: Record<string, boolean>;
  /** Undefined while the first page is on its way: the table then shows a skeleton of the usual size. */
  rows: readonly Row[] | undefined;
  /** How many rows there are on all pages together. */
  total?: number | undefined;
  rowId: (row: Row) => string;
  isDimmed?: (row: Row) => boolean;
  onOpen?: (row: Row) => void;
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** Actions on what is selected; given these, rows can be selected. */
  bulkActions?: (selection: Selection<Row>, clear: () => void) => ReactNode;
  /** What a row unfolds to. */
  details?: (row: Row) => ReactNode;
  /** A row that is unfolded until the user folds it. */
  unfoldedId?: string | undefined;
  error?: Error | null;
  onRetry?: () => void;
  empty: ReactNode;
  skeletonRows?: number;
  /** The width of the frame, measured by its `ref`. */
  frame?: { readonly ref: Ref<HTMLDivElement>; readonly width: number };
  /** The user has chosen the columns: a narrow table hides none of them and scrolls instead. */
  showsAll?: boolean;
}

const noRows: never[] = [];

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, visibility, sort, onSort, bulkActions, details } = props;
  const { t } = useTranslation();
  const choice = useRowSelection();
  const unfolded = useUnfolded(props.unfoldedId);
  const { showsAll = false } = props;
  const definitions = useMemo(
    () => columns.map((column) => define(showsAll ? keepAlways(column) : column)),
    [columns, showsAll],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: (rows as Row[] | undefined) ?? noRows, // The table never writes to its data.
    getRowId: rowId,
    manualSorting: true,
    state: { columnVisibility: visibility, rowSelection: choice.selection },
    onRowSelectionChange: choice.change,
  });

  if (props.error && !rows) return <BrokenPart error={props.error} onRetry={props.onRetry ?? (() => {})} />;
  if (rows?.length === 0) return props.empty;

  // Rows that left the page (deleted, filtered away) must not stay selected unseen.
  const shown = table.getRowModel().rows;
  const selected = shown.filter((row) => row.getIsSelected());
  const total = props.total ?? shown.length;
  const isAll = choice.isAll && selected.length > 0;
  const chosen: Selection<Row> = isAll
    ? { kind: 'all', count: total }
    : { kind: 'rows', rows: selected.map((row) => row.original), count: selected.length };
  const leaves = table.getVisibleLeafColumns();
  const minWidth = showsAll ? widthOf(leaves.map(({ columnDef }) => columnDef.meta?.width)) : 0;
  const scrolls = props.frame !== undefined && minWidth > props.frame.width && props.frame.width > 0;
  const hideCheck = showsAll ? undefined : 'sm';
  const isPageSelected = selected.length > 0 && selected.length === shown.length;

  return (
    <div
      className={styles.frame}
      ref={props.frame?.ref}
      {...(scrolls && { 'data-scrolls': true, role: 'region', 'aria-label': props.label, tabIndex: 0 })}
    >
      {scrolls && <p className={styles.scrollNote}>{t('table.scroll', { number: leaves.length })}</p>}
      {bulkActions && selected.length > 0 && (
        <BulkBar
          count={chosen.count}
          all={total > shown.length ? { total, isChosen: isAll, onChoose: choice.takeAll } : undefined}
          onClear={choice.clear}
        >
          {bulkActions(chosen, choice.clear)}
        </BulkBar>
      )}
      <table
        className={styles.table}
        style={scrolls ? { minWidth } : undefined}
        aria-label={props.label}
        aria-busy={!rows}
      >
        <thead>
          <tr>
            {details && <th className={styles.fold} aria-label={t('table.details')} />}
            {bulkActions && (
              <th className={styles.check} data-hide={hideCheck}>
                <Check
                  checked={isPageSelected}
                  indeterminate={selected.length > 0 && !isPageSelected}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                  aria-label={t('table.selectAll')}
                />
              </th>
            )}
            {leaves.map(({ id, columnDef }) => (
              <HeaderCell
                key={id}
                name={String(columnDef.header)}
                meta={columnDef.meta}
                sort={sort}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody
          onPointerOver={titleWhenCut}
          onKeyDown={(event) =>
            moveBetweenRows(event, {
              ...(bulkActions && {
                selectAll: () => table.toggleAllRowsSelected(true),
                extend: (id) => table.getRow(id).toggleSelected(true),
                clear: choice.clear,
              }),
            })
          }
        >
          {!rows && (
            <SkeletonRows
              count={props.skeletonRows ?? 10}
              columns={leaves.map(({ id, columnDef }) => ({ id, hideBelow: columnDef.meta?.hideBelow }))}
              leading={Number(Boolean(details)) + Number(Boolean(bulkActions))}
            />
          )}
          {shown.map((row, index) => (
            <Fragment key={row.id}>
              <tr
                tabIndex={index === 0 ? 0 : -1}
                data-row={row.id}
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
                {details && (
                  <td className={styles.fold}>
                    <UnfoldButton id={row.id} unfolded={unfolded} />
                  </td>
                )}
                {bulkActions && (
                  <td className={styles.check} data-hide={hideCheck}>
                    <Check
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
              {details && unfolded.has(row.id) && (
                <tr className={styles.details}>
                  <td>
                    <div className={styles.detailsBody}>{details(row.original)}</div>
                  </td>
                </tr>
              )}
            </Fragment>
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

function keepAlways<Row>({ hideBelow: _, ...column }: Column<Row>): Column<Row> {
  return column;
}

const checkPx = 76;
/** Room for a name; the widths that follow the table are as narrow as that. */
const usualPx = 140;

const widthOf = (widths: readonly (number | string | undefined)[]): number =>
  widths.reduce((sum: number, width) => sum + (typeof width === 'number' ? width : usualPx), checkPx);

interface HeaderCellProps {
  name: string;
  meta: ColumnMeta | undefined;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function HeaderCell({ name, meta = {}, sort, onSort }: HeaderCellProps) {
  const { width, align, hideBelow, sortField, hidesHeader } = meta;
  return (
    <th style={{ width }} data-align={align} data-hide={hideBelow} aria-sort={ariaSort(sortField, sort)}>
      {sortField && onSort ? (
        <SortHeader label={name} field={sortField} sort={sort} onSort={onSort} />
      ) : hidesHeader ? (
        <VisuallyHidden>{name}</VisuallyHidden>
      ) : (
        name
      )}
    </th>
  );
}

interface SortHeaderProps {
  label: string;
  field: string;
  /** The list's present order, such as `id:asc`. */
  sort: string | undefined;
  onSort: (sort: string) => void;
}

/** A column's name that sorts by it; a second press turns the order round. */
function SortHeader({ label, field, sort, onSort }: SortHeaderProps) {
  const [sortedField, direction] = sort?.split(':') ?? [];
  const isSorted = sortedField === field;
  const Arrow = !isSorted ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button
      type="button"
      className={styles.sort}
      data-sorted={isSorted || undefined}
      onClick={() => onSort(`${field}:${isSorted && direction === 'asc' ? 'desc' : 'asc'}`)}
    >
      {label}
      <Arrow size={13} stroke={1.8} aria-hidden="true" />
    </button>
  );
}

function ariaSort(field: string | undefined, sort: string | undefined) {
  const [sortedField, direction] = sort?.split(':') ?? [];
  if (!field || sortedField !== field) return undefined;
  return direction === 'asc' ? 'ascending' : 'descending';
}

interface SkeletonRowsProps {
  count: number;
  columns: readonly { id: string; hideBelow: ColumnMeta['hideBelow'] | undefined }[];
  /** Columns before the first, for selecting and unfolding. */
  leading: number;
}

/** Rows of the right size while the first ones are on their way. */
function SkeletonRows({ count, columns, leading }: SkeletonRowsProps) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike.
    <tr key={index}>
      {leading > 0 && <td colSpan={leading} data-hide="sm" />}
      {columns.map(({ id, hideBelow }) => (
        <td key={id} data-hide={hideBelow}>
          <Skeleton width={`${45 + ((index * 7 + id.length * 13) % 40)}%`} />
        </td>
      ))}
    </tr>
  ));
}

/** Which rows are unfolded: those that the user unfolded, and the given one until the user folds it. */
function useUnfolded(givenId: string | undefined) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const has = (id: string) => chosen.get(id) ?? id === givenId;
  return { has, toggle: (id: string) => setChosen(new Map(chosen).set(id, !has(id))) };
}

function UnfoldButton({ id, unfolded }: { id: string; unfolded: ReturnType<typeof useUnfolded> }) {
  const { t } = useTranslation();
  const isOpen = unfolded.has(id);
  return (
    <ActionIcon
      size={24}
      className={styles.unfold}
      aria-expanded={isOpen}
      aria-label={t('table.detailsOf', { name: id })}
      onClick={() => unfolded.toggle(id)}
    >
      <IconChevronRight size={15} stroke={1.8} />
    </ActionIcon>
  );
}

/** The selected rows of a table. Unselecting a row after "select all" selects rows again. */
function useRowSelection() {
  const [selection, setSelection] = useState<RowSelectionState>({});
  const [isAll, setAll] = useState(false);
  return {
    selection,
    isAll,
    change: (next: Updater<RowSelectionState>) => {
      setAll(false);
      setSelection(next);
    },
    takeAll: () => setAll(true),
    clear: () => {
      setAll(false);
      setSelection({});
    },
  };
}

/** Text that its cell or itself cuts off says all of itself under the pointer. Given to the table around the cells. */
function titleWhenCut({ target }: PointerEvent): void {
  if (!(target instanceof HTMLElement) || target.childElementCount > 0 || target.closest('[title]')) return;
  const isCut = [target, target.closest('td')].some(
    (place) => place && place.scrollWidth > place.clientWidth,
  );
  if (isCut) target.title = target.textContent ?? '';
}
