import type { FoundLogs } from '../filters/dialect.ts';
import { compileLogFilters } from '../filters/logFilters.ts';
import { join, type Sql, sql } from '../filters/sql.ts';
import type { Filter } from '../port/store.ts';
import type { Row } from '../rows/value.ts';
import { countInTime, countRows } from './countRows.ts';
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
/** Whatever is longer is not common, and comparing it with thousands of entries takes its time. */
const longestCommon = 500;

/**
 * The page of a search for words, the newest entries first. The newest of all are looked at one after the other: for a
 * common word that is enough, where its index would collect millions. What is rare there is found by the index.
 */
export async function findLogs(queries: Queries, asked: Asked): Promise<Found> {
  const { limit, offset } = asked;
  const rest = compileLogFilters(asked.filters, queries.dialect);
  const found = queries.dialect.findLogs(asked.words, asked.names, rest);
  const words = queries.dialect.logHasWords(asked.words);
  const matches = join([rest, words], ' AND ');
  const isShort = asked.words.join(' ').length <= longestCommon;
  const newest = newestOf(queries, asked, found);
  const walked = isShort && offset + limit < found.walked ? await walk(queries, newest, matches, asked) : [];
  if (walked.length > limit) {
    const all =
      found.fresh === undefined ? sql(`logs WHERE ${matches.text}`, ...matches.params) : bothOf(found);
    const [some, known] = await Promise.all([
      countWalk(queries, newest, matches),
      countInTime(queries, all, offset + limit + 1),
    ]);
    return { ids: walked.slice(0, limit), total: Math.max(some, known) };
  }
  return found.fresh === undefined ? collect(queries, found, asked) : searchBoth(queries, found, asked);
}

interface Newest {
  readonly from: Sql;
  readonly order: string;
}

/** The entries to look at. All meet the bounds of the date, where the order is that of the date. */
function newestOf(queries: Queries, { filters }: Asked, { order, walked }: FoundLogs): Newest {
  const isDate = ({ field }: Filter): boolean => field === 'startDate' || field === 'endDate';
  const bounds = compileLogFilters(
    order.startsWith('logs.at') ? filters.filter(isDate) : [],
    queries.dialect,
  );
  const from = `(SELECT * FROM logs WHERE ${bounds.text} ORDER BY ${order} LIMIT ${walked}) logs`;
  return { from: sql(from, ...bounds.params), order };
}

/** Stops when it has the page and one more. */
async function walk(
  queries: Queries,
  { from, order }: Newest,
  matches: Sql,
  { limit, offset }: Asked,
): Promise<readonly number[]> {
  const rows = await queries.scan(
    `SELECT logs.id FROM ${from.text} WHERE ${matches.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
    [...from.params, ...matches.params, limit + 1, offset],
  );
  return rows.map(idOf);
}

async function countWalk(queries: Queries, { from }: Newest, matches: Sql): Promise<number> {
  const rows = await queries.scan(`SELECT count(*) AS total FROM ${from.text} WHERE ${matches.text}`, [
    ...from.params,
    ...matches.params,
  ]);
  return Number(rows[0]?.total ?? 0);
}

const idOf = (row: Row): number => Number(row.id);

/** All matches, counted and sorted. An expression has no index: the words shall lead, not the date. */
async function collect(
  queries: Queries,
  { indexed, order }: FoundLogs,
  { limit, offset }: Asked,
): Promise<Found> {
  const rows = await queries.scan(
    `SELECT logs.id, count(*) OVER () AS total FROM ${indexed.text}
     ORDER BY ${order.replace('logs.at', '(logs.at + 0)')} LIMIT ? OFFSET ?`,
    [...indexed.params, limit, offset],
  );
  if (rows.length > 0 || offset === 0) return { ids: rows.map(idOf), total: Number(rows[0]?.total ?? 0) };
  return { ids: [], total: (await countRows(queries, indexed)).total };
}

/**
 * The few entries that the index does not have yet, and those it has, the newest first: nothing is collected and sorted,
 * and the index is asked once for the page and the number. More than it counts are counted behind the page.
 */
async function searchBoth(queries: Queries, found: FoundLogs, { limit, offset }: Asked): Promise<Found> {
  const { fresh = sql('logs WHERE 1 = 0'), indexed } = found;
  const some = Math.max(countedAtOnce, offset + limit);
  const rows = await queries.scan(
    `WITH found (id) AS MATERIALIZED (
       SELECT * FROM (SELECT logs.id FROM ${fresh.text} ORDER BY logs.id DESC LIMIT ${some})
       UNION ALL
       SELECT * FROM (SELECT logs.id FROM ${indexed.text} ORDER BY log_search.rowid DESC LIMIT ${some})
     )
     SELECT id, (SELECT count(*) FROM found) AS total FROM found ORDER BY id DESC LIMIT ? OFFSET ?`,
    [...fresh.params, ...indexed.params, limit, offset],
  );
  const total = Number(rows[0]?.total ?? 0);
  if (rows.length === 0 && offset > 0)
    return { ids: [], total: (await countRows(queries, bothOf(found))).total };
  if (total < some) return { ids: rows.map(idOf), total };
  return { ids: rows.map(idOf), total: await countInTime(queries, bothOf(found), total) };
}

/** One statement, so that an entry is either still fresh or indexed already. */
function bothOf({ fresh, indexed }: FoundLogs): Sql {
  if (fresh === undefined) return indexed;
  return sql(
    `(SELECT 1 AS found FROM ${fresh.text} UNION ALL SELECT 1 FROM ${indexed.text}) f`,
    ...fresh.params,
    ...indexed.params,
  );
}
