import { namespace, scope, text, words } from '../filters/fields.ts';
import { ascending, nullable } from '../filters/list.ts';
import { raw, sql } from '../filters/sql.ts';
import type { KvEntryRecord, StoredKv } from '../port/op.ts';
import type { KvQuery, Page } from '../port/queries.ts';
import { kvColumns } from '../rows/columns.ts';
import { decodeKv, decodeKvEntry } from '../rows/kvRow.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

const columns = kvColumns.filter((column) => column !== 'search');

const kvList: TableList<KvEntryRecord> = {
  name: 'key-value entries',
  table: 'kv',
  columns: columns.filter((column) => column !== 'value').join(', '),
  decode: decodeKvEntry,
  fields: { q: words(['namespace', 'key']), scope, namespace, key: text('key') },
  sort: {
    key: 'key',
    namespace: 'namespace',
    creationDate: 'created_at',
    updateDate: 'updated_at',
    expirationDate: nullable('expires_at'),
  },
  defaultSort: ascending('key'),
  key: ['namespace', 'key'],
};

export async function getKv(queries: Queries, namespace: string, key: string): Promise<StoredKv | undefined> {
  const rows = await queries.point(
    sql`SELECT ${raw(columns.join(', '))} FROM kv WHERE namespace = ${encodeText(namespace)} AND key = ${encodeText(key)}`,
  );
  return rows[0] === undefined ? undefined : decodeKv(rows[0]);
}

export function listKv(queries: Queries, query: KvQuery): Promise<Page<KvEntryRecord>> {
  const { aliveAt } = query;
  const unexpired = aliveAt === undefined ? [] : [sql`(expires_at IS NULL OR expires_at > ${aliveAt})`];
  return readPage(queries, kvList, query, ...unexpired);
}

/** Reads each table once: a namespace without flows can still contain values, templates or files. */
export async function listDataNamespaces(queries: Queries): Promise<string[]> {
  const rows = await queries.scan(
    sql`SELECT namespace FROM kv UNION SELECT namespace FROM file_namespaces ORDER BY namespace`,
  );
  return rows.map((row) => decodeText(String(row.namespace)));
}
