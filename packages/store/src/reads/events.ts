import type { TaskRunRecord } from '@millrace/contract';
import { join, placeholders, sql } from '../filters/sql.ts';
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
  const mentioned = mentions
    ? join(
        mentions.map((text) => sql("events LIKE ? ESCAPE '!'", `%${text.replace(/[!%_]/g, '!$&')}%`)),
        ' OR ',
      )
    : sql('1 = 1');
  const rows = await queries.scan(
    `SELECT seq, at, events FROM execution_events
     WHERE execution_id = ? AND seq >= ? AND ${mentioned.text} ORDER BY seq LIMIT ?`,
    [encodeText(executionId), from, ...mentioned.params, limit],
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
    `SELECT data FROM task_runs WHERE execution_id = ? AND id IN (${placeholders(ids.length)})`,
    [encodeText(executionId), ...ids.map(encodeText)],
  );
  return readable(rows, (row) => {
    // `as`: the encoder wrote it.
    const taskRun = JSON.parse(String(row.data)) as TaskRunRecord;
    checkState(taskRun);
    return taskRun;
  });
}
