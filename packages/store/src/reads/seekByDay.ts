import { conditionsOf, type ExecutionCondition } from '../filters/executionFilters.ts';
import { sql } from '../filters/sql.ts';
import { msPerDay } from '../rows/executionRow.ts';
import type { Order } from './choosePage.ts';
import type { Queries } from './queries.ts';
import type { ResolvedCondition } from './resolveWords.ts';
import { daysOf } from './total.ts';

/** Up to this offset, skipping the rows is faster. */
const farBehind = 20_000;

/**
 * For a late page: the roll-up tells on which day it begins, so that only the rows of that day are skipped.
 * Returns the remaining conditions and offset.
 */
export async function seekByDay(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
  order: Order,
  offset: number,
): Promise<{ readonly conditions: readonly ResolvedCondition[]; readonly offset: number }> {
  const known = conditions.filter(
    (condition): condition is ExecutionCondition => condition.kind === 'rollUp',
  );
  if (offset < farBehind || !order.isByStart || known.length < conditions.length)
    return { conditions, offset };
  const where = conditionsOf(known);
  const direction = order.text.includes('DESC') ? 'DESC' : 'ASC';
  const days = await queries.scan(
    `SELECT day, sum(n) AS n FROM ${daysOf(known)} WHERE ${where.text} GROUP BY day ORDER BY day ${direction}`,
    where.params,
  );
  let left = offset;
  for (const row of days) {
    const n = Number(row.n);
    if (left < n) {
      const day = Number(row.day);
      const bound =
        direction === 'DESC'
          ? sql('executions.start_date < ?', (day + 1) * msPerDay)
          : sql('executions.start_date >= ?', day * msPerDay);
      const start = { kind: 'start', where: bound, from: 0, to: 0 } as const;
      return { conditions: [...conditions, start], offset: left };
    }
    left -= n;
  }
  return { conditions, offset };
}
