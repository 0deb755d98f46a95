import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../filters/sql.ts';
import type { Queries } from './queries.ts';

/** Up to this number, rows are counted for every page; a larger count may be a few seconds old. */
const countedAnew = 10_000;
/**
 * The longest time that a page waits for its count. After that it returns a lower bound, and the next page
 * has the count.
 */
const patienceMs = 20;

export interface RowCount {
  readonly total: number;
  /** False: the count comes from the cache or is still running. */
  readonly isCurrent: boolean;
}

/** Counts the rows of a FROM with its WHERE. */
export async function countRows(queries: Queries, from: Sql): Promise<RowCount> {
  const few = await queries.scan(
    `SELECT count(*) AS total FROM (SELECT 1 FROM ${from.text} LIMIT ${countedAnew}) c`,
    from.params,
  );
  const total = Number(few[0]?.total ?? 0);
  if (total < countedAnew) return { total, isCurrent: true };
  return { total: await countInTime(queries, from, countedAnew), isCurrent: false };
}

/** The cached count, or `certain` while the first count is running. */
export async function countInTime(queries: Queries, from: Sql, certain: number): Promise<number> {
  const all = queries.cachedCount(`SELECT count(*) AS total FROM ${from.text}`, from.params);
  return Math.max(certain, await inTime(all, certain));
}

/** Reads a sum of roll-up rows as a row count. */
export async function addUpRows(queries: Queries, sum: Sql): Promise<number> {
  const rows = await queries.scan(sum.text, sum.params);
  return Number(rows[0]?.total ?? 0);
}

async function inTime(total: Promise<number | undefined>, certain: number): Promise<number> {
  const over = new AbortController();
  try {
    return (await Promise.race([total, wait(patienceMs, certain, { signal: over.signal })])) ?? certain;
  } finally {
    over.abort();
    // No other caller may be waiting for this count; the next caller gets the error of a failed count.
    total.catch(() => {});
  }
}
