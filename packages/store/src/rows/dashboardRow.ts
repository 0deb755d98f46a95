import type { DashboardRecord } from '@millrace/contract';
import { parseDocument, salvaged, toDocument } from './readable.ts';
import { searchText } from './searchText.ts';
import { decodeText, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const encodeDashboard = (dashboard: DashboardRecord): SqlValue[] => [
  encodeText(dashboard.id),
  encodeText(dashboard.title),
  dashboard.createdAt,
  dashboard.updatedAt,
  searchText(dashboard.title),
  toDocument(dashboard),
];

// `as`: written by `encodeDashboard`.
const decode = (row: Row): DashboardRecord => parseDocument(row.data, fields) as DashboardRecord;
const fields = {
  id: 'string',
  title: 'string',
  source: 'string',
  createdAt: 'number',
  updatedAt: 'number',
} as const;

/** The columns that `salvageDashboard` needs. */
export const dashboardColumns = 'id, title, created_at, updated_at, data';

export const salvageDashboard = (row: Row): DashboardRecord =>
  salvaged(row, decode, ({ id, title, created_at, updated_at }) => ({
    id: decodeText(String(id)),
    title: decodeText(String(title)),
    source: '',
    createdAt: Number(created_at),
    updatedAt: Number(updated_at),
  }));
