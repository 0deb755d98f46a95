import { and, raw, type Sql, sql } from '../filters/sql.ts';
import type { DocumentQuery, StoredDocument } from '../port/document.ts';
import { documentColumns } from '../rows/columns.ts';
import { decodeDocument } from '../rows/documentRow.ts';
import { readable } from '../rows/readable.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

const columns = raw(documentColumns.join(', '));

export async function getDocument(
  queries: Queries,
  kind: string,
  id: string,
): Promise<StoredDocument | undefined> {
  const rows = await queries.point(
    sql`SELECT ${columns} FROM documents WHERE kind = ${encodeText(kind)} AND id = ${encodeText(id)}`,
  );
  return readable(rows, decodeDocument)[0];
}

export async function listDocuments(queries: Queries, query: DocumentQuery): Promise<StoredDocument[]> {
  const order = raw(query.descending ? 'DESC' : 'ASC');
  const rows = await queries.point(
    sql`SELECT ${columns} FROM documents WHERE ${whereOf(query)} ORDER BY at ${order}, id ${order}
      LIMIT ${query.limit} OFFSET ${query.offset ?? 0}`,
  );
  return readable(rows, decodeDocument);
}

/** Counts at most `limit` records, so that the time it takes is bounded. */
export async function countDocuments(queries: Queries, query: DocumentQuery): Promise<number> {
  const rows = await queries.scan(
    sql`SELECT count(*) AS total FROM (SELECT 1 FROM documents WHERE ${whereOf(query)} LIMIT ${query.limit}) found`,
  );
  return Number(rows[0]?.total ?? 0);
}

const whereOf = ({ kind, parent, from, to }: DocumentQuery): Sql =>
  and(
    sql`kind = ${encodeText(kind)}`,
    ...(parent === undefined ? [] : [sql`parent = ${encodeText(parent)}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`]),
  );
