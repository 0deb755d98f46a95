import type { ChartRow } from '@millrace/contract';
import { toCell } from '../views/csv.ts';

/** The rows of a chart as CSV, with the names that its author gave the columns. */
export function toCsv(rows: readonly ChartRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return '';
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}
