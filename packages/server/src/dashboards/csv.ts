import type { ChartRow } from '@millrace/contract';

/** Rows as CSV with a header. A text that a spreadsheet would run as a formula is marked as text. */
export function toCsv(rows: readonly ChartRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return '';
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return `${[columns.map(cell).join(','), ...lines].join('\r\n')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
