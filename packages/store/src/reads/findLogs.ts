import type { FoundLogs } from '../filters/dialect.ts';
import { compileLogFilters } from '../filters/logFilters.ts';
import { and, joined, raw, type Sql, sql } from '../filters/sql.ts';
import type { Filter } from '../port/filter.ts';
import type { Row } from '../rows/value.ts';
import { countInTime, countRows, readTotal } from './countRows.ts';
import type { Queries } from './queries.ts';

interface Asked {
  readonly words: readonly string[];
  /** See `logWords`. */
  readonly names: readonly string[];
  /** The other filters. */
  readonly filters: readonly Filter[];
  readonly limit: number;
  readonly offset: number;
}

interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

const countedAtOnce = 10_000;
/** Longer queries are not common words, and comparing them with thousands of entries is slow. */
const longestCommon = 500;

/**
 * The page of a word search, newest entries first. The newest entries are scanned one by one: for a common
 * word that is enough, whereas its index would return millions. A rare word is found by the index.
 */
export async function findLogs(queries: Queries, asked: Asked): Promise<Found> {
  const { limit, offset } = asked;
  const rest = compileLogFilters(asked.filters, queries.dialect);
  const found = queries.dialect.findLogs(asked.words, asked.names, rest);
  const matches = and(rest, queries.dialect.logHasWords(asked.words));
  const isShort = asked.words.join(' ').length <= longestCommon;
  if (isShort && offset + limit < found.walked) {
    const near = newestOf(queries, asked, found);
    const newest = await walk(queries, near, matches, asked);
    const isNear = newest.length > limit;
    const ids = isNear ? newest : await searchLed(queries, found, asked);
    if (ids !== undefined) {
      const [some, all] = await Promise.all([
        isNear ? readTotal(queries, sql`SELECT count(*) AS total FROM ${near.from} WHERE ${matches}`) : 0,
        countInTime(queries, unionOf(found), offset + ids.length),
      ]);
      return { ids: ids.slice(0, limit), total: Math.max(some, all) };
    }
  }
  return found.fresh === undefined ? collect(queries, found, asked) : searchUnion(queries, found, asked);
}

interface Newest {
  readonly from: Sql;
  readonly order: Sql;
}

/** The entries to scan. With an order by date, all of them are within the date bounds. */
function newestOf(queries: Queries, { filters }: Asked, { order, walked }: FoundLogs): Newest {
  const isByDate = order.text.startsWith('logs.at');
  const dates = filters.filter(({ field }) => isByDate && (field === 'startDate' || field === 'endDate'));
  const bounds = compileLogFilters(dates, queries.dialect);
  return {
    from: sql`(SELECT * FROM logs WHERE ${bounds} ORDER BY ${order} LIMIT ${raw(walked)}) logs`,
    order,
  };
}

/** Stops when it has the page and one more. */
async function walk(
  queries: Queries,
  { from, order }: Newest,
  matches: Sql,
  { limit, offset }: Pick<Asked, 'limit' | 'offset'>,
): Promise<readonly number[]> {
  const rows = await queries.scan(
    sql`SELECT logs.id FROM ${from} WHERE ${matches} ORDER BY ${order} LIMIT ${limit + 1} OFFSET ${offset}`,
  );
  return rows.map(idOf);
}

/** The size of the sample that shows how common each word is. */
const sampled = 300;
const commonIn = 3;

/**
 * Looks up only the rarest of several words in the index and compares the common ones: the index list of a
 * common word is long, and longer still when the word is a prefix of many others. Undefined: no word is
 * common, or too few of the newest entries match.
 */
async function searchLed(
  queries: Queries,
  { drivenBy, fresh, order }: FoundLogs,
  { words, limit, offset }: Asked,
): Promise<readonly number[] | undefined> {
  if (drivenBy === undefined || fresh === undefined || words.length < 2) return undefined;
  const each = words.map(
    (word, index) => sql`sum(${queries.dialect.logHasWords([word])}) AS ${raw(`n${index}`)}`,
  );
  const rows = await queries.scan(
    sql`SELECT ${joined(each, ', ')} FROM (SELECT * FROM logs ORDER BY ${order} LIMIT ${sampled}) logs`,
  );
  const counted = words.map((word, index) => ({ word, n: Number(rows[0]?.[`n${index}`] ?? 0) }));
  const least = Math.min(...counted.map(({ n }) => n));
  const rare = counted.filter(({ n }) => n < commonIn || n === least).map(({ word }) => word);
  if (rare.length === words.length) return undefined;
  const found = await queries.scan(
    sql`SELECT id FROM (SELECT logs.id FROM ${fresh} UNION ALL SELECT logs.id FROM ${drivenBy(rare)})
      ORDER BY id DESC LIMIT ${limit + 1} OFFSET ${offset}`,
  );
  return found.length > limit ? found.map(idOf) : undefined;
}

const idOf = (row: Row): number => Number(row.id);

/**
 * All matches, counted and sorted. Sorts by an expression, so that the index of words is used, not that of
 * the date.
 */
async function collect(
  queries: Queries,
  { indexed, order }: FoundLogs,
  { limit, offset }: Asked,
): Promise<Found> {
  const rows = await queries.scan(
    sql`SELECT logs.id, count(*) OVER () AS total FROM ${indexed}
      ORDER BY ${raw(order.text.replace('logs.at', '(logs.at + 0)'))} LIMIT ${limit} OFFSET ${offset}`,
  );
  if (rows.length > 0 || offset === 0) return { ids: rows.map(idOf), total: Number(rows[0]?.total ?? 0) };
  return { ids: [], total: await countRows(queries, indexed) };
}

/**
 * The few entries that are not indexed yet and the indexed ones, newest first: nothing is collected and
 * sorted, and one index query returns the page and the count. Beyond its limit, matches are counted in the
 * background.
 */
async function searchUnion(queries: Queries, found: FoundLogs, { limit, offset }: Asked): Promise<Found> {
  const { fresh = sql`logs WHERE 1 = 0`, indexed } = found;
  const some = Math.max(countedAtOnce, offset + limit);
  const rows = await queries.scan(
    sql`WITH found (id) AS MATERIALIZED (
        SELECT * FROM (SELECT logs.id FROM ${fresh} ORDER BY logs.id DESC LIMIT ${some})
        UNION ALL
        SELECT * FROM (SELECT logs.id FROM ${indexed} ORDER BY log_search.rowid DESC LIMIT ${some})
      )
      SELECT id, (SELECT count(*) FROM found) AS total FROM found ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
  );
  const total = Number(rows[0]?.total ?? 0);
  if (rows.length === 0 && offset > 0) return { ids: [], total: await countRows(queries, unionOf(found)) };
  if (total < some) return { ids: rows.map(idOf), total };
  return { ids: rows.map(idOf), total: await countInTime(queries, unionOf(found), total) };
}

/** One statement, so that every entry is either fresh or indexed, never both. */
function unionOf({ fresh, indexed }: FoundLogs): Sql {
  if (fresh === undefined) return indexed;
  return sql`(SELECT 1 AS found FROM ${fresh} UNION ALL SELECT 1 FROM ${indexed}) f`;
}
