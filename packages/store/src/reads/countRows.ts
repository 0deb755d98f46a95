import { setTimeout as wait } from 'node:timers/promises';
import { raw, type Sql, sql } from '../filters/sql.ts';
import { dayTotals, wholeNamespace } from '../rows/rollUp.ts';
import type { Queries } from './queries.ts';

/** Up to this number, rows are counted for every page; a larger count may be a few seconds old. */
const countedAtOnce = 10_000;
/**
 * The longest time that a page waits for its count. After that it returns a lower bound, and the next page
 * has the count.
 */
const patienceMs = 20;

/** Counts the rows of a FROM with its WHERE. */
export async function countRows(queries: Queries, from: Sql): Promise<number> {
  const total = await readTotal(
    queries,
    sql`SELECT count(*) AS total FROM (SELECT 1 FROM ${from} LIMIT ${countedAtOnce}) c`,
  );
  return total < countedAtOnce ? total : countInTime(queries, from, countedAtOnce);
}

/** The cached count, or `certain` while the first count is running. */
export async function countInTime(queries: Queries, from: Sql, certain: number): Promise<number> {
  const all = queries.cachedCount(sql`SELECT count(*) AS total FROM ${from}`);
  return Math.max(certain, await inTime(all, certain));
}

/**
 * The number of task runs or log entries that the roll-up counts, by conditions on the namespace, the flow and `word`
 * under its own name. Without a condition on a flow, the daily sums of the namespaces are enough, and fewer.
 */
export function countInRollUp(
  queries: Queries,
  { subject, word, where, ofFlows }: { subject: number; word: Sql; where: Sql; ofFlows: boolean },
): Promise<number> {
  return readTotal(
    queries,
    sql`SELECT coalesce(sum(n), 0) AS total FROM (SELECT n, namespace, flow_id, ${word} FROM roll_up
        WHERE subject = ${raw(subject + (ofFlows ? 0 : dayTotals))} AND ${rowsOfFlows(ofFlows)}) r
      WHERE ${where}`,
  );
}

/** The rows of the roll-up that are about single flows, or about whole namespaces. */
export const rowsOfFlows = (ofFlows: boolean): Sql =>
  raw(`flow_id ${ofFlows ? '<>' : '='} '${wholeNamespace}'`);

export async function readTotal(queries: Queries, statement: Sql): Promise<number> {
  const rows = await queries.scan(statement);
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
