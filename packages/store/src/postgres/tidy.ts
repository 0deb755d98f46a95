import type pg from 'pg';
import { rollUpColumns, rollUpKey, stepMs } from '../rows/rollUp.ts';
import { extremesOf, findUnsettled, keyOfRow, settledPerStep } from '../rows/settleRollUp.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import { numberPlaceholders } from './numberPlaceholders.ts';

/** An arbitrary advisory lock key: one server at a time runs housekeeping. */
const tidyLock = 7_415_002;
const mergedKey = 'rollUp.mergedStep';
/** Steps are merged when their counts hardly change any more. */
const mergeAfterMs = 2 * 3_600_000;

/**
 * Recomputes the shortest and longest durations where rows were removed, and merges the roll-up shards of one
 * past step. Returns true when there is more to do.
 */
export async function tidyPostgres(pool: pg.Pool, now: number): Promise<boolean> {
  const client = await pool.connect();
  const run = async (text: string, params: readonly SqlValue[] = []): Promise<Row[]> =>
    (await client.query<Record<string, SqlValue>>(numberPlaceholders(text), [...params])).rows;
  try {
    // Connections for batches disable sequential scans; this reads whole tables.
    await client.query('BEGIN; SET LOCAL enable_seqscan = on; SET LOCAL enable_hashjoin = on');
    const [lock] = await client
      .query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [tidyLock])
      .then(({ rows }) => rows);
    const more = lock?.mine === true && (await tidyStep(run, now));
    await client.query('COMMIT');
    client.release();
    return more;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

type Run = (text: string, params?: readonly SqlValue[]) => Promise<Row[]>;

async function tidyStep(run: Run, now: number): Promise<boolean> {
  const unsettled = await run(findUnsettled);
  for (const row of unsettled) await settle(run, row);
  const merged = await mergeNextStep(run, now);
  return merged || unsettled.length === settledPerStep;
}

const sameKey = rollUpKey.map((name) => `${name} = ?`).join(' AND ');

/** Locks the rows first: concurrent commits wait, and then widen the range found here. */
async function settle(run: Run, row: Row): Promise<void> {
  const shards = await run(
    `SELECT shard FROM roll_up WHERE ${sameKey} ORDER BY shard FOR UPDATE`,
    keyOfRow(row),
  );
  const { text, params } = extremesOf(row);
  const [found] = await run(text, params);
  await run(
    `UPDATE roll_up SET unsettled = 0, shortest = CASE WHEN shard = ? THEN CAST(? AS bigint) END,
       longest = CASE WHEN shard = ? THEN CAST(? AS bigint) END WHERE ${sameKey}`,
    [
      shards[0]?.shard ?? 0,
      found?.shortest ?? null,
      shards[0]?.shard ?? 0,
      found?.longest ?? null,
      ...keyOfRow(row),
    ],
  );
}

/** Merges the shards of several connections into one row, or none when the sum is zero. */
async function mergeNextStep(run: Run, now: number): Promise<boolean> {
  const [mark] = await run('SELECT value FROM settings WHERE key = ?', [mergedKey]);
  const last = Math.floor((now - mergeAfterMs) / stepMs);
  const [next] = await run('SELECT min(step + 0) AS step FROM roll_up WHERE step + 0 > ? AND step + 0 <= ?', [
    mark === undefined ? -1 : Number(mark.value),
    last,
  ]);
  if (next?.step === null || next?.step === undefined) return false;
  const columns = rollUpColumns.filter((name) => !rollUpKey.some((key) => key === name));
  const removed = await run(
    `WITH gone AS (DELETE FROM roll_up WHERE step + 0 = ? RETURNING *)
     SELECT ${rollUpKey.join(', ')}, sum(n)::bigint AS n, sum(duration)::bigint AS duration, min(shortest) AS shortest,
       max(longest) AS longest, max(unsettled) AS unsettled FROM gone GROUP BY ${rollUpKey.join(', ')} HAVING sum(n) <> 0`,
    [next.step],
  );
  for (const row of removed) {
    await run(
      `INSERT INTO roll_up (${[...rollUpKey, ...columns].join(', ')}, shard)
       VALUES (${[...rollUpKey, ...columns].map(() => '?').join(', ')}, 0)`,
      [...rollUpKey, ...columns].map((name) => row[name] ?? null),
    );
  }
  await run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [mergedKey, String(next.step)],
  );
  return true;
}
