import type { FlowRecord } from '@millrace/contract';
import { compileFlowFilters, flowSortFields } from '../filters/flowFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import type { FlowQuery, Page } from '../port/queries.ts';
import { flowColumns } from '../rows/columns.ts';
import { decodeFlow } from '../rows/flowRow.ts';
import { readable } from '../rows/readable.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

const columns = flowColumns.filter((column) => !column.endsWith('search')).join(', ');
const alive = 'latest = 1 AND deleted = 0';

export async function getFlow(
  queries: Queries,
  namespace: string,
  id: string,
  revision?: number,
): Promise<FlowRecord | undefined> {
  const chosen = revision === undefined ? '' : ' AND revision = ?';
  const rows = await queries.point(
    `SELECT ${columns} FROM flows WHERE namespace = ? AND id = ?${chosen} ORDER BY revision DESC LIMIT 1`,
    [encodeText(namespace), encodeText(id), ...(revision === undefined ? [] : [revision])],
  );
  return rows[0] === undefined ? undefined : decodeFlow(rows[0]);
}

export async function listFlows(queries: Queries, query: FlowQuery): Promise<Page<FlowRecord>> {
  const where = compileFlowFilters(query, queries.dialect);
  const order = orderBy('flows', flowSortFields, query, {
    sort: [{ field: 'namespace', descending: false }],
    tiebreak: ['namespace', 'id'],
  });
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(
      `SELECT ${columns} FROM flows WHERE ${alive} AND ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...where.params, limit, offset],
    ),
    queries.scan(`SELECT count(*) AS total FROM flows WHERE ${alive} AND ${where.text}`, where.params),
  ]);
  return { results: readable(rows, decodeFlow), total: Number(counts[0]?.total ?? 0) };
}

export async function listRevisions(queries: Queries, namespace: string, id: string): Promise<FlowRecord[]> {
  const rows = await queries.scan(
    `SELECT ${columns} FROM flows WHERE namespace = ? AND id = ? AND revision > 0 ORDER BY revision`,
    [encodeText(namespace), encodeText(id)],
  );
  return readable(rows, decodeFlow);
}

export async function nextDraftRevision(queries: Queries, namespace: string, id: string): Promise<number> {
  const rows = await queries.point(
    'SELECT revision FROM flows WHERE namespace = ? AND id = ? AND revision < 0 ORDER BY revision LIMIT 1',
    [encodeText(namespace), encodeText(id)],
  );
  return Number(rows[0]?.revision ?? 0) - 1;
}

export async function listFlowNamespaces(queries: Queries): Promise<string[]> {
  const rows = await queries.scan(
    `SELECT DISTINCT namespace FROM flows WHERE ${alive} ORDER BY namespace`,
    [],
  );
  return rows.map((row) => decodeText(String(row.namespace)));
}
