import type { TaskRunRecord } from '@millrace/contract';
import { always, or, type Sql, sql, values } from '../filters/sql.ts';
import type { EventQuery, StoredEvents } from '../port/queries.ts';
import { checkState } from '../rows/executionRow.ts';
import { readable } from '../rows/readable.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

/** Enough for every execution: a server holds far fewer steps of one in memory. */
const allRows = 1_000_000_000;

export async function listEvents(
  queries: Queries,
  executionId: string,
  { from = 0, limit = allRows, mentions }: EventQuery = {},
): Promise<StoredEvents[]> {
  // The texts are filtered in the database, because most rows of a large execution are about other task runs.
  const like = (text: string): Sql => sql`events LIKE ${`%${text.replace(/[!%_]/g, '!$&')}%`} ESCAPE '!'`;
  const rows = await queries.scan(
    sql`SELECT seq, at, events FROM execution_events
      WHERE execution_id = ${encodeText(executionId)} AND seq >= ${from} AND ${mentions ? or(...mentions.map(like)) : always}
      ORDER BY seq LIMIT ${limit}`,
  );
  return readable(rows, (row) => {
    const events: unknown = JSON.parse(String(row.events));
    if (!Array.isArray(events)) throw new Error('it is no list of events');
    return { seq: Number(row.seq), at: Number(row.at), events };
  });
}

export async function listTaskRuns(
  queries: Queries,
  executionId: string,
  ids: readonly string[],
): Promise<TaskRunRecord[]> {
  if (ids.length === 0) return [];
  const rows = await queries.scan(
    sql`SELECT data FROM task_runs WHERE execution_id = ${encodeText(executionId)} AND id IN (${values(ids.map(encodeText))})`,
  );
  return readable(rows, (row) => {
    // `as`: the encoder wrote it.
    const taskRun = JSON.parse(String(row.data)) as TaskRunRecord;
    checkState(taskRun);
    return taskRun;
  });
}
