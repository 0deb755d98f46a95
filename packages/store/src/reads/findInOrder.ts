import { placeholders, type Sql, sql } from '../filters/sql.ts';
import type { SqlValue } from '../rows/value.ts';
import type { Order } from './choosePage.ts';
import { countInTime } from './countRows.ts';
import type { Queries } from './queries.ts';

/** Up to this number, matches are counted for every page. */
const countedAtOnce = 2_000;
/**
 * Extra entries on each side of the page: executions of the same millisecond are sorted by `seq`, which the
 * lists lack.
 */
const neighbours = 20;

interface Window {
  readonly limit: number;
  readonly offset: number;
}

interface Entry {
  readonly at: number;
  readonly id: SqlValue;
}

export interface FoundInOrder {
  readonly ids: readonly SqlValue[];
  readonly total: Promise<number>;
}

/**
 * The page of the intersection of several lists; see `orderedLists`. Merges all lists from their beginning,
 * only as far as the page needs. Undefined: too many executions started in one millisecond to determine their
 * order.
 */
export async function findInOrder(
  queries: Queries,
  lists: readonly (readonly Sql[])[],
  order: Order,
  { limit, offset }: Window,
): Promise<FoundInOrder | undefined> {
  const direction = order.text.includes('DESC') ? 'DESC' : 'ASC';
  const first = Math.max(0, offset - neighbours);
  const wanted = offset - first + limit + neighbours;
  const window = { limit: wanted, offset: first };
  const common = queries.dialect.intersect(lists, { direction, window });
  const rows = await queries.scan(common.text, common.params, 'merge');
  const entries = rows.map((row): Entry => ({ at: Number(row.at), id: row.id ?? null }));
  const isEnd = rows.length < wanted;
  const ids = await cut(queries, entries, order, { from: offset - first, limit, isBegun: first > 0, isEnd });
  if (ids === undefined) return undefined;
  if (isEnd && (rows.length > 0 || first === 0)) return { ids, total: Promise.resolve(first + rows.length) };
  // After the last page, the number of entries before it is unknown.
  return { ids, total: count(queries, lists, rows.length === 0 ? 0 : first + rows.length) };
}

interface Cut {
  readonly from: number;
  readonly limit: number;
  /** More entries come before these. */
  readonly isBegun: boolean;
  /** No entries come after these. */
  readonly isEnd: boolean;
}

/** The entries of the page, in the order of the list. */
async function cut(
  queries: Queries,
  entries: readonly Entry[],
  order: Order,
  { from, limit, isBegun, isEnd }: Cut,
): Promise<readonly SqlValue[] | undefined> {
  const page = entries.slice(from, from + limit);
  const [begin, end] = [page[0]?.at, page.at(-1)?.at];
  if (begin === undefined) return [];
  if ((isBegun && entries[0]?.at === begin) || (!isEnd && entries.at(-1)?.at === end)) return undefined;
  const isShared = entries.some(({ at }, index) => at === entries[index + 1]?.at);
  if (!isShared) return page.map(({ id }) => id);
  const rows = await queries.scan(
    `SELECT executions.id FROM executions WHERE executions.id IN (${placeholders(entries.length)}) ORDER BY ${order.text}`,
    entries.map(({ id }) => id),
  );
  return rows.slice(from, from + limit).map((row) => row.id ?? null);
}

/** Counting a single list is quick; an intersection is counted in the background. */
async function count(queries: Queries, lists: readonly (readonly Sql[])[], certain: number): Promise<number> {
  const direction = 'DESC';
  if (lists.length === 1) {
    const window = { limit: countedAtOnce, offset: 0 };
    const few = queries.dialect.intersect(lists, { direction, window });
    const rows = await queries.scan(`SELECT count(*) AS total FROM (${few.text}) c`, few.params, 'merge');
    const total = Number(rows[0]?.total ?? 0);
    if (total < countedAtOnce) return total;
  }
  const all = queries.dialect.intersect(lists, { direction });
  return countInTime(queries, sql(`(${all.text}) c`, ...all.params), certain, 'merge');
}
