import type { Sql } from '../filters/sql.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import type { Queries } from './queries.ts';

/**
 * For some thousand short rows. Without packing, SQLite creates an object per row and the reading thread
 * copies each one to the caller, which takes longer than the query itself.
 */
export async function readPackedRows(
  queries: Queries,
  asked: Sql,
  columns: readonly string[],
): Promise<readonly Row[]> {
  const packed = queries.dialect.packRows?.(asked, columns);
  if (packed === undefined) return queries.scan(asked);
  const [row] = await queries.scan(packed);
  // `as`: this package wrote the list, and it contains no numbers beyond 2^53.
  const rows = JSON.parse(String(row?.rows ?? '[]')) as SqlValue[][];
  return rows.map(
    (values): Row => Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null])),
  );
}
