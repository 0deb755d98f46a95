import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { formatDateTime } from '../../format/date.ts';
import { displayWidth } from '../../format/displayWidth.ts';
import { readStored, writeStored } from '../../storage/storage.ts';

/** How a list describes one of its columns. */
export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The field the server sorts by; without it the column cannot be sorted. */
  sortField?: string;
  width?: number | string;
  align?: 'right';
  /** The header is for screen readers only: what stands below it explains itself. */
  hidesHeader?: boolean;
  /** Leaves the table when it becomes narrower than this; the chooser still offers it. */
  hideBelow?: 'sm' | 'md' | 'lg' | 'xl';
  /** The column that names the row: always shown. */
  identifies?: boolean;
  /** Shown only once the user chooses it. */
  optional?: boolean;
}

export type ColumnMeta = Pick<Column<unknown>, 'width' | 'align' | 'hideBelow' | 'sortField' | 'hidesHeader'>;

/** The server sorts, filters and pages; the table itself only keeps what is visible and selected. */
export const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: {} as ColumnMeta, // A type-only slot.
});
export type Features = typeof features;

/** Room for the word of a state in every language; a phone has its pills smaller. */
export const stateColumnWidth = 'clamp(138px, 15cqw, 160px)';

const CHARACTER_PX = 7.1;
const PADDING_PX = 24;
/** As long as a date becomes. */
const LONG_DATE = '2026-09-26T22:47:58Z';

/** Room for a whole date as the language and the settings write it. */
export const dateColumnWidth = (): number =>
  Math.ceil(displayWidth(formatDateTime(LONG_DATE, i18next.language || 'en')) * CHARACTER_PX) + PADDING_PX;

/** What an action on many rows is about: rows of this page, or everything that the filters find. */
export type Selection<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly count: number }
  | { readonly kind: 'all'; readonly count: number };

/** The width of the table below which its style hides a column, in CSS pixels; the same as in DataTable.module.css. */
const hiddenBelowPx = { sm: 560, md: 760, lg: 980, xl: 1240 } as const;

/**
 * Which columns a list shows, remembered by the list's name as a comma list of their ids. Until the user chooses, a
 * narrow table leaves columns out, and they are not ticked; chosen columns are all shown, and the table then scrolls.
 */
export function useColumnMemory<Row>(name: string, columns: readonly Column<Row>[], tableWidth: number) {
  const [shown, setShown] = useState(() => readStored(`columns:${name}`)?.split(','));
  const fits = ({ hideBelow }: Column<Row>) =>
    hideBelow === undefined || tableWidth === 0 || tableWidth > hiddenBelowPx[hideBelow];
  const isShown = (column: Column<Row>) =>
    column.identifies || (shown ? shown.includes(column.id) : !column.optional && fits(column));
  return {
    isChosen: shown !== undefined,
    visibility: Object.fromEntries(columns.map((column) => [column.id, isShown(column)])),
    toggle: (id: string) => {
      const next = columns.filter((c) => (c.id === id ? !isShown(c) : isShown(c))).map((c) => c.id);
      setShown(next);
      writeStored(`columns:${name}`, next.join(','));
    },
    reset: () => {
      setShown(undefined);
      writeStored(`columns:${name}`, undefined);
    },
  };
}
