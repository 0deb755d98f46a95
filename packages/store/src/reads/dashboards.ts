import type { DashboardRecord } from '@millrace/contract';
import { words } from '../filters/fields.ts';
import { ascending } from '../filters/list.ts';
import { raw, sql } from '../filters/sql.ts';
import type { DashboardQuery, Page } from '../port/queries.ts';
import { dashboardColumns, salvageDashboard } from '../rows/dashboardRow.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

const dashboardList: TableList<DashboardRecord> = {
  name: 'dashboards',
  table: 'dashboards',
  columns: dashboardColumns,
  decode: salvageDashboard,
  fields: { q: words(['title']) },
  sort: { id: 'id', title: 'title', created: 'created_at', updated: 'updated_at' },
  defaultSort: ascending('title'),
  key: ['id'],
};

export const listDashboards = (
  queries: Queries,
  { q, ...query }: DashboardQuery,
): Promise<Page<DashboardRecord>> =>
  readPage(queries, dashboardList, {
    ...query,
    filters: q === undefined ? [] : [{ field: 'q', operation: 'EQUALS', value: q }],
  });

export async function getDashboard(queries: Queries, id: string): Promise<DashboardRecord | undefined> {
  const rows = await queries.point(
    sql`SELECT ${raw(dashboardColumns)} FROM dashboards WHERE id = ${encodeText(id)}`,
  );
  return rows[0] === undefined ? undefined : salvageDashboard(rows[0]);
}
