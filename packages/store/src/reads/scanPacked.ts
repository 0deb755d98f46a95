import type { Sql } from '../filters/sql.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import type { Queries } from './queries.ts';

/**
 * For some thousand short rows. SQLite makes an object of each, and the thread that reads copies it to the one that
 * asked: that takes longer than finding and adding them up did.
 */
export async function scanPacked(
  queries: Queries,
  asked: Sql,
  columns: readonly string[],
): Promise<readonly Row[]> {
  const packed = queries.dialect.packRows?.(asked, columns);
  if (packed === undefined) return queries.scan(asked.text, asked.params);
  const [row] = await queries.scan(packed.text, packed.params);
  // `as`: the list is of our own making, and numbers that large are not in it.
  const rows = JSON.parse(String(row?.rows ?? '[]')) as SqlValue[][];
  return rows.map(
    (values): Row => Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null])),
  );
}
