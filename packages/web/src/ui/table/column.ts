import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

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
