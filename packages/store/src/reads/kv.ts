import { compileKvFilters, kvSortFields } from '../filters/kvFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import type { KvEntryRecord, StoredKv } from '../port/op.ts';
import type { KvQuery, Page } from '../port/queries.ts';
import { kvColumns } from '../rows/columns.ts';
import { decodeKv, decodeKvEntry, kvKey } from '../rows/kvRow.ts';
import { readable } from '../rows/readable.ts';
import { decodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

const columns = kvColumns.filter((column) => column !== 'search').join(', ');
const columnsOfLists = kvColumns.filter((column) => column !== 'search' && column !== 'value').join(', ');

export async function getKv(queries: Queries, namespace: string, key: string): Promise<StoredKv | undefined> {
  const rows = await queries.point(`SELECT ${columns} FROM kv WHERE namespace = ? AND key = ?`, [
    ...kvKey({ namespace, key }),
  ]);
  return rows[0] === undefined ? undefined : decodeKv(rows[0]);
}

export async function listKv(queries: Queries, query: KvQuery): Promise<Page<KvEntryRecord>> {
  const where = compileKvFilters(query, queries.dialect);
  const order = orderBy('key-value entries', kvSortFields, query, {
    sort: [{ field: 'key', descending: false }],
    tiebreak: ['namespace', 'key'],
  });
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(`SELECT ${columnsOfLists} FROM kv WHERE ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...where.params,
      limit,
      offset,
    ]),
    queries.scan(`SELECT count(*) AS total FROM kv WHERE ${where.text}`, where.params),
  ]);
  return { results: readable(rows, decodeKvEntry), total: Number(counts[0]?.total ?? 0) };
}

/** Reads each table once: a namespace without flows can still contain values, templates or files. */
export async function listDataNamespaces(queries: Queries): Promise<string[]> {
  const rows = await queries.scan(
    `SELECT namespace FROM kv UNION SELECT namespace FROM file_namespaces ORDER BY namespace`,
    [],
  );
  return rows.map((row) => decodeText(String(row.namespace)));
}
