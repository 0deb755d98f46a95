import { namespace, words } from '../filters/fields.ts';
import { ascending } from '../filters/list.ts';
import { raw, sql } from '../filters/sql.ts';
import type { TemplateRecord } from '../port/op.ts';
import type { Page, TemplateQuery } from '../port/queries.ts';
import { salvageTemplate, templateColumns } from '../rows/templateRow.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

const templateList: TableList<TemplateRecord> = {
  name: 'templates',
  table: 'templates',
  columns: templateColumns,
  decode: salvageTemplate,
  fields: { q: words(['namespace', 'id']), namespace },
  sort: { id: 'id', namespace: 'namespace' },
  defaultSort: ascending('namespace'),
  key: ['namespace', 'id'],
};

export const listTemplates = (queries: Queries, query: TemplateQuery): Promise<Page<TemplateRecord>> =>
  readPage(queries, templateList, query);

export async function getTemplate(
  queries: Queries,
  namespace: string,
  id: string,
): Promise<TemplateRecord | undefined> {
  const rows = await queries.point(
    sql`SELECT ${raw(templateColumns)} FROM templates WHERE namespace = ${encodeText(namespace)} AND id = ${encodeText(id)}`,
  );
  return rows[0] === undefined ? undefined : salvageTemplate(rows[0]);
}
