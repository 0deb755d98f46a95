import {
  type CountedCondition,
  type ExecutionCondition,
  isOnFlow,
  whereOf,
} from '../filters/executionFilters.ts';
import { join, type Sql, sql } from '../filters/sql.ts';
import { msPerDay } from '../rows/executionRow.ts';
import { dayTotals, rollUpSubjects, stepsPerDay, wholeNamespace } from '../rows/rollUp.ts';
import { readTotal } from './countRows.ts';
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
  return readTotal(
    queries,
    sql(
      `SELECT ${counts.map(({ text }) => `(${text})`).join(' + ')} AS total`,
      ...counts.flatMap(({ params }) => params),
    ),
  );
}

/** Rows of the executions table with `from <= start < to`. */
function countStarted(where: Sql, from: number, to: number): Sql {
  const all = join([sql('start_date >= ? AND start_date < ?', from, to), where], ' AND ');
  return sql(`SELECT count(*) FROM executions WHERE ${all.text}`, ...all.params);
}

function countDays(where: Sql, firstDay: number, endDay: number, days: string): Sql {
  const bounds: Sql[] = [where];
  if (Number.isFinite(firstDay)) bounds.push(sql('day >= ?', firstDay));
  if (Number.isFinite(endDay)) bounds.push(sql('day < ?', endDay));
  const all = join(bounds, ' AND ');
  return sql(`SELECT coalesce(sum(n), 0) FROM ${days} WHERE ${all.text}`, ...all.params);
}

/** The table of daily sums. Without a condition on a flow, the sums per namespace are enough, and fewer. */
const daysOf = (conditions: readonly ExecutionCondition[]): string =>
  conditions.some(isOnFlow)
    ? 'execution_stats'
    : `(SELECT n, namespace, word AS state, step / ${stepsPerDay} AS day
        FROM roll_up WHERE subject = ${rollUpSubjects.executions + dayTotals} AND flow_id = '${wholeNamespace}') days`;
