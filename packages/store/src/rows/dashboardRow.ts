import type { DashboardRecord } from '@millrace/contract';
import { searchText } from './searchText.ts';
import { encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const encodeDashboard = (dashboard: DashboardRecord): SqlValue[] => [
  encodeText(dashboard.id),
  encodeText(dashboard.title),
  dashboard.createdAt,
  dashboard.updatedAt,
  searchText(dashboard.title),
  JSON.stringify(dashboard),
];

// `as`: written by `encodeDashboard`.
export const decodeDashboard = (row: Row): DashboardRecord => JSON.parse(String(row.data)) as DashboardRecord;
