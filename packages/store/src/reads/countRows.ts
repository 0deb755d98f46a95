import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../filters/sql.ts';
import type { Queries, Way } from './queries.ts';

/** Up to here rows are counted for every page; the number of more may be a few seconds old. */
const countedAnew = 10_000;
/** No page waits longer for the number of its rows. It says what is certain, and the next one has the whole number. */
const patienceMs = 20;

export interface RowCount {
  readonly total: number;
  /** False: it was counted a moment ago, or is being counted. */
  readonly isCurrent: boolean;
}

/** How many rows a FROM with its WHERE has. */
export async function countRows(queries: Queries, from: Sql): Promise<RowCount> {
  const few = await queries.scan(
    `SELECT count(*) AS total FROM (SELECT 1 FROM ${from.text} LIMIT ${countedAnew}) c`,
    from.params,
  );
  const total = Number(few[0]?.total ?? 0);
  if (total < countedAnew) return { total, isCurrent: true };
  return { total: await countInTime(queries, from, countedAnew), isCurrent: false };
}

/** The number as it was counted last, or `certain` while it is being counted for the first time. */
export async function countInTime(queries: Queries, from: Sql, certain: number, way?: Way): Promise<number> {
  const all = queries.tally(`SELECT count(*) AS total FROM ${from.text}`, from.params, way);
  return Math.max(certain, await inTime(all, certain));
}

/** The sum of a roll-up, which stands for rows. */
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
    // Nobody else may be waiting for it any more; whoever asks next hears of a failure.
    total.catch(() => {});
  }
}
