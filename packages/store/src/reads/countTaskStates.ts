import type { StateType } from '@millrace/contract';
import { type Sql, sql } from '../filters/sql.ts';
import type { TaskStateCount } from '../port/queries.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import type { Queries } from './queries.ts';

/**
 * The primary key leads to the task runs of an execution. An index with task and state would be faster, but
 * every commit of a task run would pay for it. The beginnings of attempts are counted in the text, which takes a
 * tenth of the time of parsing it.
 */
const beginOfAttempt = '{"state":{"current":';

/** At most so many task runs, from the first on; or the last ones, of those after an id. */
const statement = (
  executionId: string,
  limit: number,
  after?: string,
): Sql => sql`SELECT task_id, state, count(*) AS n, min(id) AS task_run_id, min(start_date) AS first_at,
    max(start_date) AS last_at, max(duration) AS longest, max(attempts) AS attempts, max(id) AS last_id
  FROM (SELECT id, task_id, state, start_date, duration,
    (length(data) - length(replace(data, ${beginOfAttempt}, ''))) / ${beginOfAttempt.length} AS attempts
    FROM task_runs WHERE execution_id = ${encodeText(executionId)}
    ${after === undefined ? sql`ORDER BY id` : sql`AND id > ${after} ORDER BY id DESC`} LIMIT ${limit}) t
  GROUP BY task_id, state ORDER BY min(start_date), task_id, state`;

/** Reads the first and the last task runs of an execution with more than `limit`, because a long loop is between them. */
export async function countTaskStates(
  queries: Queries,
  executionIds: readonly string[],
  limit: number,
): Promise<TaskStateCount[]> {
  const found = await Promise.all(
    executionIds.map(async (executionId) => {
      const first = await queries.scan(statement(executionId, limit));
      const counts = first.map((row) => decode(executionId, row));
      if (counts.reduce((sum, { count }) => sum + count, 0) < limit) return counts;
      const lastId = first.map((row) => String(row.last_id)).reduce((a, b) => (a > b ? a : b));
      const last = await queries.scan(statement(executionId, limit, lastId));
      return last.map((row) => decode(executionId, row)).reduce(add, counts);
    }),
  );
  return found.flat();
}

function decode(executionId: string, row: Row): TaskStateCount {
  return {
    executionId,
    taskId: decodeText(String(row.task_id)),
    state: String(row.state) as StateType, // The store writes no other state.
    count: Number(row.n),
    taskRunId: decodeText(String(row.task_run_id)),
    firstStartedAt: Number(row.first_at),
    lastStartedAt: Number(row.last_at),
    attempts: Number(row.attempts),
    ...(row.longest === null ? {} : { durationMs: Number(row.longest) }),
  };
}

function add(counts: TaskStateCount[], more: TaskStateCount): TaskStateCount[] {
  const at = counts.findIndex(({ taskId, state }) => taskId === more.taskId && state === more.state);
  const known = counts[at];
  if (!known) return [...counts, more];
  const ended = [known, more].flatMap(({ durationMs }) => durationMs ?? []);
  return counts.with(at, {
    ...known,
    count: known.count + more.count,
    firstStartedAt: Math.min(known.firstStartedAt, more.firstStartedAt),
    lastStartedAt: Math.max(known.lastStartedAt, more.lastStartedAt),
    attempts: Math.max(known.attempts, more.attempts),
    ...(ended.length === 0 ? {} : { durationMs: Math.max(...ended) }),
  });
}
