import type { DashboardRecord } from '@millrace/contract';
import { limitOf, orderBy, type SortField } from '../filters/sort.ts';
import { always } from '../filters/sql.ts';
import { columnMatchesWords, wordsFilter } from '../filters/words.ts';
import type { DashboardQuery, Page } from '../port/queries.ts';
import { dashboardColumns, salvageDashboard } from '../rows/dashboardRow.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

export async function getDashboard(queries: Queries, id: string): Promise<DashboardRecord | undefined> {
  const rows = await queries.point(`SELECT ${dashboardColumns} FROM dashboards WHERE id = ?`, [
    encodeText(id),
  ]);
  return rows[0] === undefined ? undefined : salvageDashboard(rows[0]);
}

const sortFields: Readonly<Record<string, SortField>> = {
  id: { column: 'id' },
  title: { column: 'title' },
  created: { column: 'created_at' },
  updated: { column: 'updated_at' },
};

export async function listDashboards(
  queries: Queries,
  query: DashboardQuery,
): Promise<Page<DashboardRecord>> {
  const { dialect } = queries;
  const where =
    query.q === undefined
      ? always
      : wordsFilter(
          { field: 'q', operation: 'EQUALS', value: query.q },
          dialect,
          ['title'],
          columnMatchesWords('search', dialect),
        );
  const order = orderBy('dashboards', sortFields, query, {
    sort: [{ field: 'title', descending: false }],
    tiebreak: ['id'],
  });
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(
      `SELECT ${dashboardColumns} FROM dashboards WHERE ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...where.params, limit, offset],
    ),
    queries.scan(`SELECT count(*) AS total FROM dashboards WHERE ${where.text}`, where.params),
  ]);
  return { results: rows.map(salvageDashboard), total: Number(counts[0]?.total ?? 0) };
}
