import { limitOf, orderBy } from '../filters/sort.ts';
import { compileTemplateFilters, templateSortFields } from '../filters/templateFilters.ts';
import type { TemplateRecord } from '../port/op.ts';
import type { Page, TemplateQuery } from '../port/queries.ts';
import { salvageTemplate, templateColumns, templateKey } from '../rows/templateRow.ts';
import type { Queries } from './queries.ts';

export async function getTemplate(
  queries: Queries,
  namespace: string,
  id: string,
): Promise<TemplateRecord | undefined> {
  const rows = await queries.point(
    `SELECT ${templateColumns} FROM templates WHERE namespace = ? AND id = ?`,
    templateKey({ namespace, id }),
  );
  return rows[0] === undefined ? undefined : salvageTemplate(rows[0]);
}

export async function listTemplates(queries: Queries, query: TemplateQuery): Promise<Page<TemplateRecord>> {
  const where = compileTemplateFilters(query.filters, queries.dialect);
  const order = orderBy('templates', templateSortFields, query, {
    sort: [{ field: 'namespace', descending: false }],
    tiebreak: ['namespace', 'id'],
  });
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(
      `SELECT ${templateColumns} FROM templates WHERE ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...where.params, limit, offset],
    ),
    queries.scan(`SELECT count(*) AS total FROM templates WHERE ${where.text}`, where.params),
  ]);
  return { results: rows.map(salvageTemplate), total: Number(counts[0]?.total ?? 0) };
}
