import type { ExecutionRecord, TaskRunRecord } from '@millrace/contract';
import { always, raw, type Sql, sql } from '../filters/sql.ts';
import type { OpenExecutions, StoredExecution } from '../port/queries.ts';
import { Unreadable } from '../port/store.ts';
import { decodeExecution, decodeStoredExecution, type ExecutionRow, salvage } from '../rows/executionRow.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { SqlValue } from '../rows/value.ts';
import type { Queries } from './queries.ts';

/** Lists read only the row of an execution, never its task runs, which may be very many. */
export const executionColumns = raw(`data, origin, executions.id AS row_id, tenant_id, namespace, flow_id,
  flow_revision, state, start_date, end_date, closed_at`);

/**
 * One statement reads the row with its task runs, so that both come from the same snapshot. A row of the result holds the
 * task runs of some 200,000 characters: one row for each takes three times as long to read, and all of them as one text
 * could exceed the maximum string length. These rows have the number of their task runs as `version`.
 */
const withTaskRuns = (id: string): Sql => sql`SELECT ${executionColumns}, version,
    (SELECT max(v.seq) FROM execution_events v WHERE v.execution_id = executions.id) AS event_seq, NULL AS task_runs
  FROM executions WHERE id = ${id}
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*), NULL, string_agg(t.data, ',')
  FROM (
    SELECT data, sum(length(data)) OVER (ROWS UNBOUNDED PRECEDING) / 200000 AS part
    FROM task_runs WHERE execution_id = ${id} LIMIT ${maxTaskRuns + 1}
  ) t
  GROUP BY t.part`;

/** An execution with more task runs would exhaust the memory of the server that runs it. */
const maxTaskRuns = 1_000_000;

type StoredRow = ExecutionRow & { version: SqlValue; event_seq: SqlValue; task_runs: SqlValue };

export async function getExecution(queries: Queries, id: string): Promise<StoredExecution | undefined> {
  const rows = await queries.point(withTaskRuns(encodeText(id)));
  // `as`, here and below: the columns are those of the statement.
  const all = rows as unknown as readonly StoredRow[];
  const row = all.find(({ row_id }) => row_id !== null);
  if (row === undefined) return undefined;
  try {
    const taskRuns: TaskRunRecord[] = [];
    for (const { task_runs, version } of all) {
      if (task_runs === null) continue;
      const some = JSON.parse(`[${String(task_runs)}]`) as TaskRunRecord[];
      if (some.length !== Number(version)) throw new Error('a task run is damaged');
      for (const taskRun of some) taskRuns.push(taskRun);
    }
    if (taskRuns.length > maxTaskRuns) throw new Error(`it has more than ${maxTaskRuns} task runs`);
    return decodeStoredExecution(row, taskRuns);
  } catch (error) {
    throw unreadable(row, error);
  }
}

export async function getExecutionRecord(queries: Queries, id: string): Promise<ExecutionRecord | undefined> {
  const rows = await queries.point(
    sql`SELECT ${executionColumns} FROM executions WHERE id = ${encodeText(id)}`,
  );
  const row = rows[0] as unknown as ExecutionRow | undefined;
  if (row === undefined) return undefined;
  try {
    return decodeExecution(row);
  } catch (error) {
    throw unreadable(row, error);
  }
}

const unreadable = (row: ExecutionRow, error: unknown): Unreadable =>
  new Unreadable(
    `The execution "${decodeText(String(row.row_id))}" is stored, but cannot be read`,
    salvage(row),
    error,
  );

export async function findExecutionByKey(queries: Queries, uniqueKey: string): Promise<string | undefined> {
  const rows = await queries.point(
    sql`SELECT data FROM executions WHERE unique_key = ${encodeText(uniqueKey)}`,
  );
  return rows[0] === undefined ? undefined : (JSON.parse(String(rows[0].data)) as { id: string }).id;
}

export async function openExecutions(
  queries: Queries,
  after: string | undefined,
  limit: number,
): Promise<OpenExecutions> {
  const last = encodeText(after ?? '');
  const from =
    after === undefined
      ? always
      : sql`(start_date, id) >
          (coalesce((SELECT p.start_date FROM executions p WHERE p.id = ${last}), -9007199254740991), ${last})`;
  const rows = await queries.scan(
    sql`SELECT id FROM executions WHERE closed_at IS NULL AND ${from} ORDER BY start_date, id LIMIT ${limit}`,
  );
  const ids = rows.map((row) => decodeText(String(row.id)));
  const next = ids.length < limit ? undefined : ids.at(-1);
  return { ids, ...(next === undefined ? {} : { next }) };
}
