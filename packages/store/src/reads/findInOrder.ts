import { placeholders, type Sql, sql } from '../filters/sql.ts';
import type { SqlValue } from '../rows/value.ts';
import type { Order } from './choosePage.ts';
import { countInTime } from './countRows.ts';
import type { Queries } from './queries.ts';

/** So many are counted for every page. */
const countedAtOnce = 2_000;
/** Executions that began in the same millisecond are sorted by their number, which the lists do not have. */
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
 * The page of what several lists have in common; see `orderedLists`. All of them are walked at once from their beginning,
 * and no further than the page needs. Undefined: so many began in one millisecond that their order cannot be told.
 */
export async function findInOrder(
  queries: Queries,
  lists: readonly (readonly Sql[])[],
  order: Order,
  { limit, offset }: Window,
): Promise<FoundInOrder | undefined> {
  const common = queries.dialect.intersect(lists, order.text.includes('DESC') ? 'DESC' : 'ASC');
  const first = Math.max(0, offset - neighbours);
  const wanted = offset - first + limit + neighbours;
  const rows = await queries.scan(
    `${common.text} LIMIT ? OFFSET ?`,
    [...common.params, wanted, first],
    'merge',
  );
  const entries = rows.map((row): Entry => ({ at: Number(row.at), id: row.id ?? null }));
  const isEnd = rows.length < wanted;
  const ids = await cut(queries, entries, order, { from: offset - first, limit, isBegun: first > 0, isEnd });
  if (ids === undefined) return undefined;
  const isKnown = isEnd && (rows.length > 0 || first === 0);
  return {
    ids,
    total: isKnown ? Promise.resolve(first + rows.length) : count(queries, common, offset + ids.length),
  };
}

interface Cut {
  readonly from: number;
  readonly limit: number;
  /** There are entries before these. */
  readonly isBegun: boolean;
  /** There are none behind these. */
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

/** All are counted behind the page as well; it waits for them only where there are many. */
async function count(queries: Queries, common: Sql, certain: number): Promise<number> {
  const all = countInTime(queries, sql(`(${common.text}) c`, ...common.params), certain, 'merge');
  // Nobody may be waiting for it any more.
  all.catch(() => {});
  const rows = await queries.scan(
    `SELECT count(*) AS total FROM (${common.text} LIMIT ?) c`,
    [...common.params, countedAtOnce],
    'merge',
  );
  const some = Number(rows[0]?.total ?? 0);
  return some < countedAtOnce ? some : Math.max(some, await all);
}
