import { isOnFlow } from '../filters/executionFilters.ts';
import { join } from '../filters/sql.ts';
import { rollUpSubjects, stepMs } from '../rows/rollUp.ts';
import type { Queries } from './queries.ts';
import type { ResolvedCondition } from './resolveWords.ts';
import { whereOf } from './total.ts';

interface Window {
  readonly limit: number;
  readonly offset: number;
}

export interface PageSteps {
  readonly total: number;
  /** The half hours that contain the task runs of the page, in milliseconds. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  /** The remaining offset within the spans. */
  readonly offset: number;
}

/**
 * Finds when the task runs of a page started: the roll-up has the count of a flow per half hour and state.
 * However rare they are, only the half hours that have some are scanned.
 */
export async function stepsOfFlow(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
  { limit, offset }: Window,
  direction: 'ASC' | 'DESC',
): Promise<PageSteps> {
  const where = join(conditions.map(whereOf), ' AND ');
  const steps = await queries.scan(
    `SELECT step, sum(n) AS n FROM (SELECT step, n, namespace, flow_id, word AS state FROM roll_up
       WHERE subject = ${rollUpSubjects.taskRuns} AND flow_id <> '') r
     WHERE ${where.text} GROUP BY step HAVING sum(n) > 0 ORDER BY step ${direction}`,
    where.params,
  );
  let total = 0;
  let before = 0;
  const spans: [number, number][] = [];
  for (const row of steps) {
    const [n, start] = [Number(row.n), Number(row.step) * stepMs];
    if (total + n <= offset) before = total + n;
    else if (total < offset + limit) spans.push([start, start + stepMs]);
    total += n;
  }
  return { total, spans, offset: offset - before };
}

/** Whether the conditions select one flow. The steps of several flows are scattered over the roll-up. */
export const isOfOneFlow = (conditions: readonly ResolvedCondition[]): boolean =>
  conditions.every(({ kind }) => kind === 'rollUp') &&
  conditions.some((each) => isOnFlow(each) && each.kind === 'rollUp' && each.values?.length === 1);
