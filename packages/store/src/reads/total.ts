import {
  conditionsOf,
  type ExecutionCondition,
  isOnFlow,
  type LabelCondition,
} from '../filters/executionFilters.ts';
import { join, not, type Sql, sql } from '../filters/sql.ts';
import { msPerDay } from '../rows/executionRow.ts';
import { dayTotals, rollUpSubjects, stepsPerDay, wholeNamespace } from '../rows/rollUp.ts';
import type { Queries } from './queries.ts';
import { eitherOf, type ResolvedCondition, type Words } from './resolveWords.ts';
import { labelledBy } from './smallestLabel.ts';

/** A count that is added or subtracted. */
interface Part {
  readonly sign: '+' | '-';
  readonly count: Sql;
}

/**
 * Counts matching executions with as few row reads as possible: takes exact counts from the roll-up, and
 * counts rows only for the rest (days cut by a bound, ids, children). One statement, so one snapshot.
 */
export async function totalOf(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
): Promise<{ readonly total: number }> {
  const parts = countAll(conditions);
  const rows = await queries.scan(
    `SELECT 0 ${parts.map(({ sign, count }) => `${sign} (${count.text})`).join(' ')} AS total`,
    parts.flatMap(({ count }) => count.params),
  );
  return { total: Number(rows[0]?.total ?? 0) };
}

/**
 * Whether `totalOf` supports the conditions: labels, and conditions without an index, are not in the roll-up.
 */
export const isCounted = (conditions: readonly ResolvedCondition[]): boolean =>
  conditions.every(({ kind }) => kind !== 'row' && kind !== 'label' && kind !== 'labelText');

/** The matches as FROM and WHERE, starting with the leading label. CROSS JOIN makes SQLite start there. */
export function fromOf(
  conditions: readonly ResolvedCondition[],
  lead: LabelCondition | undefined,
  narrow: (condition: ResolvedCondition) => Sql = whereOf,
): Sql {
  const others = join(conditions.filter((condition) => condition !== lead).map(narrow), ' AND ');
  if (lead === undefined) return sql(`executions WHERE ${others.text}`, ...others.params);
  const labelled = labelledBy(lead, conditions);
  // With several values an execution can have the label twice.
  if (lead.pairs.length > 1) {
    return sql(
      `executions WHERE executions.id IN (SELECT d.execution_id FROM ${labelled.text}) AND ${others.text}`,
      ...labelled.params,
      ...others.params,
    );
  }
  return sql(
    `${labelled.text.replace(' WHERE ', ' CROSS JOIN executions WHERE ')} AND executions.id = d.execution_id
       AND ${others.text}`,
    ...labelled.params,
    ...others.params,
  );
}

/**
 * Labels have the start date of their execution: without other conditions, counting needs no execution rows.
 */
export function onlyLabels(
  conditions: readonly ResolvedCondition[],
  lead: LabelCondition | undefined,
): Sql | undefined {
  const isKnown = conditions.every(({ kind }) => kind === 'label' || kind === 'start');
  if (lead === undefined || lead.pairs.length > 1 || !isKnown) return undefined;
  const labelled = labelledBy(lead, conditions);
  const others = join(
    conditions.filter((condition) => condition.kind === 'label' && condition !== lead).map(perRowOf),
    ' AND ',
  );
  return sql(
    `${labelled.text} AND ${others.text.replaceAll('executions.id', 'd.execution_id')}`,
    ...labelled.params,
    ...others.params,
  );
}

function countAll(conditions: readonly ResolvedCondition[]): Part[] {
  const words = conditions.find((condition) => condition.kind === 'words');
  if (words === undefined) return countPlain(conditions as readonly ExecutionCondition[]);
  const rest = conditions.filter((condition) => condition !== words);
  const matching = countMatching(rest, words);
  return words.negated ? [...countAll(rest), ...takeOff(matching)] : matching;
}

/** Counts whole flows, and executions of other flows that match by id. */
function countMatching(rest: readonly ResolvedCondition[], words: Words): Part[] {
  const others = join([...rest.map(whereOf), words.byId, not(words.byFlow)], ' AND ');
  return [
    ...countAll([...rest, { kind: 'rollUp', field: 'q', where: words.byFlow, spread: true }]),
    { sign: '+', count: countOf(others) },
  ];
}

function countPlain(conditions: readonly ExecutionCondition[]): Part[] {
  const rest = conditions.filter((condition) => condition.kind !== 'main');
  if (rest.length === conditions.length) return countWithRollUp(conditions);
  // Most executions have no parent and no index finds them; those with a parent are few and indexed.
  const children = join([conditionsOf(rest), sql('trigger_execution_id IS NOT NULL')], ' AND ');
  return [...countPlain(rest), { sign: '-', count: countOf(children) }];
}

const takeOff = (parts: readonly Part[]): Part[] =>
  parts.map(({ sign, count }) => ({ sign: sign === '+' ? '-' : '+', count }));

/** For a query that scans rows one by one. */
export const perRowOf = (condition: ResolvedCondition): Sql =>
  'perRow' in condition && condition.perRow !== undefined ? condition.perRow : whereOf(condition);

export function whereOf(condition: ResolvedCondition): Sql {
  if (condition.kind !== 'words') return condition.where;
  return condition.negated ? not(eitherOf(condition)) : eitherOf(condition);
}

const countOf = (where: Sql): Sql =>
  sql(`SELECT count(*) FROM executions WHERE ${where.text}`, ...where.params);

function countWithRollUp(conditions: readonly ExecutionCondition[]): Part[] {
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const condition of conditions) {
    if (condition.kind !== 'start') continue;
    from = Math.max(from, condition.from);
    to = Math.min(to, condition.to);
  }
  const ofRollUp = conditions.filter((condition) => condition.kind === 'rollUp');
  const where = conditionsOf(ofRollUp);
  const firstDay = Math.ceil(from / msPerDay);
  const endDay = Math.floor(to / msPerDay);
  const counts =
    firstDay >= endDay
      ? [countStarted(where, from, to)]
      : [
          countDays(where, firstDay, endDay, daysOf(ofRollUp)),
          ...(from < firstDay * msPerDay ? [countStarted(where, from, firstDay * msPerDay)] : []),
          ...(endDay * msPerDay < to ? [countStarted(where, endDay * msPerDay, to)] : []),
        ];
  return counts.map((count) => ({ sign: '+', count }));
}

/** Rows of the executions table with `from <= start < to`. */
function countStarted(where: Sql, from: number, to: number): Sql {
  return countOf(join([sql('start_date >= ? AND start_date < ?', from, to), where], ' AND '));
}

function countDays(where: Sql, firstDay: number, endDay: number, days: string): Sql {
  const bounds: Sql[] = [where];
  if (Number.isFinite(firstDay)) bounds.push(sql('day >= ?', firstDay));
  if (Number.isFinite(endDay)) bounds.push(sql('day < ?', endDay));
  const all = join(bounds, ' AND ');
  return sql(`SELECT coalesce(sum(n), 0) FROM ${days} WHERE ${all.text}`, ...all.params);
}

/** The table of daily sums. Without a condition on a flow, the sums per namespace are enough, and fewer. */
export const daysOf = (conditions: readonly ExecutionCondition[]): string =>
  conditions.some(
    (condition) => isOnFlow(condition) || (condition.kind === 'rollUp' && condition.field === 'q'),
  )
    ? 'execution_stats'
    : dayTotalsOfExecutions;

const dayTotalsOfExecutions = `(SELECT n, namespace, word AS state, step / ${stepsPerDay} AS day
  FROM roll_up WHERE subject = ${rollUpSubjects.executions + dayTotals} AND flow_id = '${wholeNamespace}') days`;
