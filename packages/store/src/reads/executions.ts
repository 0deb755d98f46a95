import { compileExecutionFilters, executionSortFields } from '../filters/executionFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import { type Sql, sql } from '../filters/sql.ts';
import {
  type ExecutionQuery,
  type ExecutionWithTaskRuns,
  type OpenExecutions,
  type Page,
  type StoredEvents,
  type StoredExecution,
  Unreadable,
} from '../port/store.ts';
import {
  decodeListedExecution,
  decodeStoredExecution,
  type ExecutionRow,
  salvage,
} from '../rows/executionRow.ts';
import { readable } from '../rows/readable.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { SqlValue } from '../rows/value.ts';
import { choosePage, type Order, orderOf } from './choosePage.ts';
import { findMatches } from './findMatches.ts';
import type { Queries } from './queries.ts';
import { resolveLabels } from './resolveLabels.ts';
import { resolveWords } from './resolveWords.ts';
import { skipDays } from './skipDays.ts';
import { isCounted, totalOf } from './total.ts';

/** One statement reads the row with its task runs, so that both are of the same moment. */
export const withTaskRuns = `data, origin, executions.id AS row_id, tenant_id, namespace, flow_id, flow_revision, state,
  start_date, end_date, over_at,
  (SELECT string_agg(t.data, ',') FROM task_runs t WHERE t.execution_id = executions.id) AS task_runs`;
const stored = `${withTaskRuns}, version,
  (SELECT max(v.seq) FROM execution_events v WHERE v.execution_id = executions.id) AS event_seq`;

type StoredRow = ExecutionRow & { version: SqlValue; event_seq: SqlValue };

export async function getExecution(queries: Queries, id: string): Promise<StoredExecution | undefined> {
  const rows = await queries.point(`SELECT ${stored} FROM executions WHERE id = ?`, [encodeText(id)]);
  // `as`, here and below: the columns are those of the statement.
  const row = rows[0] as unknown as StoredRow | undefined;
  if (row === undefined) return undefined;
  try {
    return decodeStoredExecution(row);
  } catch (error) {
    throw new Unreadable(`The execution "${id}" is stored, but cannot be read`, salvage(row), error);
  }
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
): Promise<OpenExecutions> {
  const from: Sql =
    after === undefined
      ? sql('1 = 1')
      : sql(
          '(start_date, id) > (coalesce((SELECT p.start_date FROM executions p WHERE p.id = ?), -9007199254740991), ?)',
          encodeText(after),
          encodeText(after),
        );
  const rows = await queries.scan(
    `SELECT id, ${stored} FROM executions WHERE over_at IS NULL AND ${from.text} ORDER BY start_date, id LIMIT ?`,
    [...from.params, limit],
  );
  const executions: StoredExecution[] = [];
  const unreadable: { id: string; problem: string }[] = [];
  for (const row of rows) {
    try {
      executions.push(decodeStoredExecution(row as unknown as StoredRow));
    } catch (error) {
      unreadable.push({ id: decodeText(String(row.id)), problem: String(error) });
    }
  }
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { executions, unreadable, ...(last ? { next: decodeText(String(last.id)) } : {}) };
}

export async function listEvents(queries: Queries, executionId: string): Promise<StoredEvents[]> {
  const rows = await queries.scan(
    'SELECT seq, at, events FROM execution_events WHERE execution_id = ? ORDER BY seq',
    [encodeText(executionId)],
  );
  return readable(rows, (row) => ({
    seq: Number(row.seq),
    at: Number(row.at),
    events: JSON.parse(String(row.events)) as unknown[],
  }));
}

/** What the roll-up has counted is found with its help; see `findMatches` for everything else. */
export async function listExecutions(
  queries: Queries,
  query: ExecutionQuery,
): Promise<Page<ExecutionWithTaskRuns>> {
  const text = orderBy('executions', executionSortFields, query, {
    sort: [{ field: 'state.startDate', descending: true }],
    tiebreak: ['executions.seq'],
  });
  const order = orderOf(text, query.sort?.length ?? 0);
  const page = limitOf(query);
  const compiled = await resolveWords(queries, compileExecutionFilters(query.filters, queries.dialect));
  const conditions = await resolveLabels(queries, compiled);
  if (!isCounted(conditions)) {
    const { found, total } = await findMatches(queries, conditions, order, page);
    const rows = sql(`WHERE ${found.text}`, ...found.params);
    const [results, known] = await Promise.all([readExecutions(queries, rows, order), total]);
    return { results, total: known };
  }
  const { total } = await totalOf(queries, conditions);
  if (page.offset >= total) return { results: [], total };
  const left = await skipDays(queries, conditions, order, page.offset);
  const end = left.offset + page.limit;
  const chosen = choosePage(left.conditions, { total, lead: undefined, end }, order);
  const rows = sql(
    `JOIN (SELECT executions.seq AS page_seq FROM ${chosen.text} LIMIT ? OFFSET ?) page
       ON executions.seq = page.page_seq`,
    ...chosen.params,
    page.limit,
    left.offset,
  );
  return { results: await readExecutions(queries, rows, order), total };
}

async function readExecutions(queries: Queries, which: Sql, order: Order): Promise<ExecutionWithTaskRuns[]> {
  const rows = await queries.scan(
    `SELECT ${withTaskRuns} FROM executions ${which.text} ORDER BY ${order.text}`,
    which.params,
  );
  return rows.map((row) => decodeListedExecution(row as unknown as ExecutionRow));
}
