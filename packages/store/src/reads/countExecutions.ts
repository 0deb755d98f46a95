import {
  type CountedCondition,
  type ExecutionCondition,
  isOnFlow,
  whereOf,
} from '../filters/executionFilters.ts';
import { always, and, joined, raw, type Sql, sql } from '../filters/sql.ts';
import { msPerDay } from '../rows/executionRow.ts';
import { dayTotals, rollUpSubjects, stepsPerDay } from '../rows/rollUp.ts';
import { readTotal, rowsOfFlows } from './countRows.ts';
import type { Queries } from './queries.ts';

export const isCounted = (condition: ExecutionCondition): condition is CountedCondition =>
  condition.kind === 'rollUp' || condition.kind === 'start';

/**
 * The exact number of matching executions: whole days from the roll-up, and the rows of the days that a bound cuts. One
 * statement, so one snapshot.
 */
export async function countExecutions(
  queries: Queries,
  conditions: readonly CountedCondition[],
): Promise<number> {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const condition of conditions) {
    if (condition.kind !== 'start') continue;
    from = Math.max(from, condition.from);
    to = Math.min(to, condition.to);
  }
  const ofRollUp = conditions.filter(({ kind }) => kind === 'rollUp');
  const where = whereOf(ofRollUp);
  const [firstDay, endDay] = [Math.ceil(from / msPerDay), Math.floor(to / msPerDay)];
  const counts =
    firstDay >= endDay
      ? [countStarted(where, from, to)]
      : [
          countDays(where, firstDay, endDay, daysOf(ofRollUp)),
          ...(from < firstDay * msPerDay ? [countStarted(where, from, firstDay * msPerDay)] : []),
          ...(endDay * msPerDay < to ? [countStarted(where, endDay * msPerDay, to)] : []),
        ];
  return readTotal(queries, sql`SELECT ${joined(counts, ' + ')} AS total`);
}

/** Rows of the executions table with `from <= start < to`. */
const countStarted = (where: Sql, from: number, to: number): Sql =>
  sql`(SELECT count(*) FROM executions WHERE start_date >= ${from} AND start_date < ${to} AND ${where})`;

function countDays(where: Sql, firstDay: number, endDay: number, days: Sql): Sql {
  const first = Number.isFinite(firstDay) ? sql`day >= ${firstDay}` : always;
  const end = Number.isFinite(endDay) ? sql`day < ${endDay}` : always;
  return sql`(SELECT coalesce(sum(n), 0) FROM ${days} WHERE ${and(where, first, end)})`;
}

/** The table of daily sums. Without a condition on a flow, the sums per namespace are enough, and fewer. */
const daysOf = (conditions: readonly ExecutionCondition[]): Sql =>
  conditions.some(isOnFlow)
    ? raw('execution_stats')
    : sql`(SELECT n, namespace, word AS state, step / ${raw(stepsPerDay)} AS day
        FROM roll_up WHERE subject = ${raw(rollUpSubjects.executions + dayTotals)} AND ${rowsOfFlows(false)}) days`;
