import type { StateType } from '@millrace/contract';
import { whereOf } from '../filters/executionFilters.ts';
import { sql, values } from '../filters/sql.ts';
import type { Filter } from '../port/filter.ts';
import type { ExecutionState } from '../port/queries.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import { executionConditions } from './executionConditions.ts';
import type { Queries } from './queries.ts';

/**
 * Both databases accept more values per statement, but a plan for each number of values is not worth caching.
 */
const idsPerStatement = 500;

export async function listStates(queries: Queries, ids: readonly string[]): Promise<ExecutionState[]> {
  const found: ExecutionState[] = [];
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    const some = ids.slice(start, start + idsPerStatement).map(encodeText);
    const rows = await queries.scan(
      sql`SELECT seq, id, state, closed_at FROM executions WHERE id IN (${values(some)})`,
    );
    found.push(...rows.map(decode));
  }
  return found;
}

export async function matchStates(
  queries: Queries,
  filters: readonly Filter[],
  after: number,
  limit: number,
): Promise<ExecutionState[]> {
  const where = whereOf(await executionConditions(queries, filters));
  const rows = await queries.scan(
    sql`SELECT executions.seq, executions.id, executions.state, executions.closed_at FROM executions
      WHERE executions.seq > ${after} AND ${where} ORDER BY executions.seq LIMIT ${limit}`,
  );
  return rows.map(decode);
}

// `as`: the store writes no other state.
const decode = (row: Row): ExecutionState => ({
  seq: Number(row.seq),
  id: decodeText(String(row.id)),
  state: String(row.state) as StateType,
  isClosed: row.closed_at !== null,
});
