import {
  compileExecutionFilters,
  conditionsOf,
  type ExecutionCondition,
  executionSortFields,
} from '../filters/executionFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import { type Sql, sql } from '../filters/sql.ts';
import type {
  ExecutionQuery,
  ExecutionWithTaskRuns,
  Page,
  StoredEvents,
  StoredExecution,
} from '../port/store.ts';
import { decodeExecution, decodeStoredExecution, type ExecutionRow } from '../rows/executionRow.ts';
import { encodeText } from '../rows/text.ts';
import type { SqlValue } from '../rows/value.ts';
import type { Queries } from './queries.ts';
import { totalOf } from './total.ts';

/** One statement reads the row with its task runs, so that both are of the same moment. */
const withTaskRuns = `data, origin,
  (SELECT string_agg(t.data, ',') FROM task_runs t WHERE t.execution_id = executions.id) AS task_runs`;
const stored = `${withTaskRuns}, version,
  (SELECT max(v.seq) FROM execution_events v WHERE v.execution_id = executions.id) AS event_seq`;

type StoredRow = ExecutionRow & { version: SqlValue; event_seq: SqlValue };

export async function getExecution(queries: Queries, id: string): Promise<StoredExecution | undefined> {
  const rows = await queries.point(`SELECT ${stored} FROM executions WHERE id = ?`, [encodeText(id)]);
  // `as`, here and below: the columns are those of the statement.
  return rows[0] === undefined ? undefined : decodeStoredExecution(rows[0] as unknown as StoredRow);
}

export async function findExecutionByKey(queries: Queries, uniqueKey: string): Promise<string | undefined> {
  const rows = await queries.point('SELECT data FROM executions WHERE unique_key = ?', [
    encodeText(uniqueKey),
  ]);
  return rows[0] === undefined ? undefined : (JSON.parse(String(rows[0].data)) as { id: string }).id;
}

export async function openExecutions(
  queries: Queries,
  after: string | undefined,
  limit: number,
): Promise<StoredExecution[]> {
  const from: Sql =
    after === undefined
      ? sql('1 = 1')
      : sql(
          '(start_date, id) > (coalesce((SELECT p.start_date FROM executions p WHERE p.id = ?), -9007199254740991), ?)',
          encodeText(after),
          encodeText(after),
        );
  const rows = await queries.scan(
    `SELECT ${stored} FROM executions WHERE end_date IS NULL AND ${from.text} ORDER BY start_date, id LIMIT ?`,
    [...from.params, limit],
  );
  return rows.map((row) => decodeStoredExecution(row as unknown as StoredRow));
}

export async function listEvents(queries: Queries, executionId: string): Promise<StoredEvents[]> {
  const rows = await queries.scan(
    'SELECT seq, at, events FROM execution_events WHERE execution_id = ? ORDER BY seq',
    [encodeText(executionId)],
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    at: Number(row.at),
    events: JSON.parse(String(row.events)) as unknown[],
  }));
}

export async function listExecutions(
  queries: Queries,
  query: ExecutionQuery,
): Promise<Page<ExecutionWithTaskRuns>> {
  const conditions = compileExecutionFilters(query.filters, queries.dialect);
  const [results, total] = await Promise.all([
    readPage(queries, query, conditions),
    totalOf(queries, conditions),
  ]);
  return { results, total };
}

/**
 * The page is chosen on the indexed columns alone and only its rows are read whole. A label is found through its own
 * index, which has the same order as the list; CROSS JOIN makes SQLite start there, PostgreSQL decides by itself.
 */
async function readPage(
  queries: Queries,
  query: ExecutionQuery,
  conditions: readonly ExecutionCondition[],
): Promise<ExecutionWithTaskRuns[]> {
  const order = orderBy('executions', executionSortFields, query, {
    sort: [{ field: 'state.startDate', descending: true }],
    tiebreak: ['executions.seq'],
  });
  const { limit, offset } = limitOf(query);
  const label = conditions.find((condition) => condition.kind === 'label');
  const others = conditionsOf(conditions.filter((condition) => condition !== label));
  const chosen =
    label === undefined
      ? sql(`executions WHERE ${others.text}`, ...others.params)
      : sql(
          `execution_labels d CROSS JOIN executions
           WHERE d.key = ? AND d.value = ? AND executions.id = d.execution_id AND ${others.text}`,
          label.key,
          label.value,
          ...others.params,
        );
  const inner = label === undefined ? order : order.replaceAll('executions.start_date', 'd.start_date');
  const rows = await queries.scan(
    `SELECT ${withTaskRuns} FROM executions
     JOIN (SELECT executions.seq AS page_seq FROM ${chosen.text} ORDER BY ${inner} LIMIT ? OFFSET ?) page
       ON executions.seq = page.page_seq
     ORDER BY ${order}`,
    [...chosen.params, limit, offset],
  );
  return rows.map((row) => decodeExecution(row as unknown as ExecutionRow));
}
