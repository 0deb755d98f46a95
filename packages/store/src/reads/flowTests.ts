import { limitOf } from '../filters/sort.ts';
import type { StoredFlowTest } from '../port/op.ts';
import type { FlowTestQuery, Page } from '../port/queries.ts';
import { readFlowTest, readFlowTestColumns } from '../rows/flowTestRow.ts';
import { encodeText } from '../rows/text.ts';
import type { SqlValue } from '../rows/value.ts';
import type { Queries } from './queries.ts';

const newest = `t.version = (SELECT max(v.version) FROM flow_tests v WHERE v.namespace = t.namespace AND v.id = t.id`;

/** The newest version of a suite; also a deletion marker, because the next version follows it. */
export async function getFlowTest(
  queries: Queries,
  namespace: string,
  id: string,
): Promise<StoredFlowTest | undefined> {
  const rows = await queries.point(
    `SELECT ${readFlowTestColumns} FROM flow_tests t WHERE t.namespace = ? AND t.id = ? ORDER BY t.version DESC LIMIT 1`,
    [encodeText(namespace), encodeText(id)],
  );
  return rows[0] === undefined ? undefined : readFlowTest(rows[0]);
}

export async function listFlowTests(queries: Queries, query: FlowTestQuery): Promise<Page<StoredFlowTest>> {
  const { namespace, isPrefix, flowId, flowRevision } = query;
  const conditions: string[] = [
    flowRevision === undefined ? `${newest})` : `${newest} AND v.flow_revision <= ?)`,
    't.deleted = 0',
  ];
  const params: SqlValue[] = flowRevision === undefined ? [] : [flowRevision];
  if (namespace !== undefined) {
    const own = encodeText(namespace);
    // "/" follows "." in the order of characters, so this range holds exactly the namespaces below.
    conditions.push(
      isPrefix ? '(t.namespace = ? OR (t.namespace >= ? AND t.namespace < ?))' : 't.namespace = ?',
    );
    params.push(own, ...(isPrefix ? [`${own}.`, `${own}/`] : []));
  }
  if (flowId !== undefined) {
    conditions.push('t.flow_id = ?');
    params.push(encodeText(flowId));
  }
  const where = conditions.join(' AND ');
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(
      `SELECT ${readFlowTestColumns} FROM flow_tests t WHERE ${where} ORDER BY t.namespace, t.id LIMIT ? OFFSET ?`,
      [...params, limit, offset],
    ),
    queries.scan(`SELECT count(*) AS total FROM flow_tests t WHERE ${where}`, params),
  ]);
  return { results: rows.map(readFlowTest), total: Number(counts[0]?.total ?? 0) };
}
