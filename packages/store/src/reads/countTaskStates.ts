import type { StateType } from '@millrace/contract';
import { type Sql, sql } from '../filters/sql.ts';
import type { TaskStateCount } from '../port/queries.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

/**
 * The primary key leads to the task runs of an execution. An index with task and state would be faster, but
 * every commit of a task run would pay for it. The beginnings of attempts are counted in the text, which takes a
 * tenth of the time of parsing it.
 */
const beginOfAttempt = '{"state":{"current":';

const statement = (
  executionId: string,
  limit: number,
): Sql => sql`SELECT task_id, state, count(*) AS n, min(id) AS task_run_id, min(start_date) AS first_at,
    max(start_date) AS last_at, max(duration) AS longest, max(attempts) AS attempts
  FROM (SELECT id, task_id, state, start_date, duration,
    (length(data) - length(replace(data, ${beginOfAttempt}, ''))) / ${beginOfAttempt.length} AS attempts FROM task_runs WHERE execution_id = ${encodeText(executionId)} LIMIT ${limit}) t
  GROUP BY task_id, state ORDER BY min(start_date), task_id, state`;

export async function countTaskStates(
  queries: Queries,
  executionIds: readonly string[],
  limit: number,
): Promise<TaskStateCount[]> {
  const found = await Promise.all(
    executionIds.map(async (executionId) => {
      const rows = await queries.scan(statement(executionId, limit));
      return rows.map((row) => ({
        executionId,
        taskId: decodeText(String(row.task_id)),
        state: String(row.state) as StateType, // The store writes no other state.
        count: Number(row.n),
        taskRunId: decodeText(String(row.task_run_id)),
        firstStartedAt: Number(row.first_at),
        lastStartedAt: Number(row.last_at),
        attempts: Number(row.attempts),
        ...(row.longest === null ? {} : { durationMs: Number(row.longest) }),
      }));
    }),
  );
  return found.flat();
}
