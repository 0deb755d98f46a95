import { ascending } from '../filters/list.ts';
import { or, raw, sql } from '../filters/sql.ts';
import type { StoredFlowTest } from '../port/op.ts';
import type { FlowTestQuery, Page } from '../port/queries.ts';
import { readFlowTest, readFlowTestColumns } from '../rows/flowTestRow.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

/** The newest version of a suite; also a deletion marker, because the next version follows it. */
export async function getFlowTest(
  queries: Queries,
  namespace: string,
  id: string,
): Promise<StoredFlowTest | undefined> {
  const rows = await queries.point(
    sql`SELECT ${raw(readFlowTestColumns)} FROM flow_tests t
      WHERE t.namespace = ${encodeText(namespace)} AND t.id = ${encodeText(id)} ORDER BY t.version DESC LIMIT 1`,
  );
  return rows[0] === undefined ? undefined : readFlowTest(rows[0]);
}

const flowTestList: TableList<StoredFlowTest> = {
  name: 'tests',
  table: 'flow_tests t',
  columns: readFlowTestColumns,
  decode: readFlowTest,
  fields: {},
  sort: { namespace: 't.namespace' },
  defaultSort: ascending('namespace'),
  key: ['t.id'],
};

export function listFlowTests(queries: Queries, query: FlowTestQuery): Promise<Page<StoredFlowTest>> {
  const { namespace, isPrefix, flowId, flowRevision, page, size } = query;
  const until = flowRevision === undefined ? sql`` : sql` AND v.flow_revision <= ${flowRevision}`;
  const newest = sql`SELECT max(v.version) FROM flow_tests v WHERE v.namespace = t.namespace AND v.id = t.id${until}`;
  const where = [sql`t.version = (${newest})`, raw('t.deleted = 0')];
  if (namespace !== undefined) {
    const own = encodeText(namespace);
    const isOwn = sql`t.namespace = ${own}`;
    // "/" follows "." in the order of characters, so this range holds exactly the namespaces below.
    const isBelow = sql`(t.namespace >= ${`${own}.`} AND t.namespace < ${`${own}/`})`;
    where.push(isPrefix ? or(isOwn, isBelow) : isOwn);
  }
  if (flowId !== undefined) where.push(sql`t.flow_id = ${encodeText(flowId)}`);
  return readPage(queries, flowTestList, { page, size }, ...where);
}
