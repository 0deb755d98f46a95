import { conditionsOf, type ExecutionCondition } from '../filters/executionFilters.ts';
import { type Sql, sql } from '../filters/sql.ts';
import { msPerDay } from '../rows/executionRow.ts';
import type { Queries } from './queries.ts';

/**
 * How many executions match, exactly. When every condition is on a column of the roll-up or bounds the start date,
 * whole days come from the roll-up and only the days cut by a bound are counted; otherwise all are counted.
 */
export async function totalOf(queries: Queries, conditions: readonly ExecutionCondition[]): Promise<number> {
  const counted = conditions.some((condition) => condition.kind === 'row' || condition.kind === 'label');
  const parts = counted ? [countRows(conditionsOf(conditions))] : countWithRollUp(conditions);
  const rows = await queries.scan(
    `SELECT ${parts.map((part) => `(${part.text})`).join(' + ')} AS total`,
    parts.flatMap((part) => part.params),
  );
  return Number(rows[0]?.total ?? 0);
}

const countRows = (where: Sql): Sql =>
  sql(`SELECT count(*) FROM executions WHERE ${where.text}`, ...where.params);

function countWithRollUp(conditions: readonly ExecutionCondition[]): Sql[] {
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const condition of conditions) {
    if (condition.kind !== 'start') continue;
    from = Math.max(from, condition.from);
    to = Math.min(to, condition.to);
  }
  const where = conditionsOf(conditions.filter((condition) => condition.kind === 'rollUp'));
  const firstDay = Math.ceil(from / msPerDay);
  const endDay = Math.floor(to / msPerDay);
  if (firstDay >= endDay) return [countStarted(where, from, to)];
  const parts = [countDays(where, firstDay, endDay)];
  if (from < firstDay * msPerDay) parts.push(countStarted(where, from, firstDay * msPerDay));
  if (endDay * msPerDay < to) parts.push(countStarted(where, endDay * msPerDay, to));
  return parts;
}

/** Rows of the executions table with `from <= start < to`. */
function countStarted(where: Sql, from: number, to: number): Sql {
  return sql(
    `SELECT count(*) FROM executions WHERE start_date >= ? AND start_date < ? AND ${where.text}`,
    from,
    to,
    ...where.params,
  );
}

function countDays(where: Sql, firstDay: number, endDay: number): Sql {
  const bounds: Sql[] = [where];
  if (Number.isFinite(firstDay)) bounds.push(sql('day >= ?', firstDay));
  if (Number.isFinite(endDay)) bounds.push(sql('day < ?', endDay));
  return sql(
    `SELECT coalesce(sum(n), 0) FROM execution_stats WHERE ${bounds.map((bound) => bound.text).join(' AND ')}`,
    ...bounds.flatMap((bound) => bound.params),
  );
}
