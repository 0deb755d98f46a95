import { conditionsOf, type ExecutionCondition } from '../filters/executionFilters.ts';
import { join, not, type Sql, sql } from '../filters/sql.ts';
import { msPerDay } from '../rows/executionRow.ts';
import { countRows, type RowCount } from './countRows.ts';
import { chooseLead, type LabelCondition, startsOnLabel } from './lead.ts';
import type { Queries } from './queries.ts';
import { eitherOf, type ResolvedCondition, type Words } from './resolveWords.ts';

/** Counts that are added up or taken off. */
interface Part {
  readonly sign: '+' | '-';
  readonly count: Sql;
}

export interface Total extends RowCount {
  /** The label whose index leads to the matches; without one the conditions do. */
  readonly lead: LabelCondition | undefined;
}

/**
 * How many executions match, with as little counting as possible: what the roll-up knows is taken from it, exactly, and
 * only the rest (days cut by a bound, ids, children) is counted on the rows. One statement, so one moment. Conditions on
 * labels together with others, and those that no index serves, are counted row by row.
 */
export async function totalOf(queries: Queries, conditions: readonly ResolvedCondition[]): Promise<Total> {
  const lead = await chooseLead(
    queries,
    conditions,
    async (others) => (await totalOf(queries, others)).total,
  );
  if (isUncounted(conditions)) {
    const from = onlyLabels(conditions, lead) ?? fromOf(conditions, lead);
    return { ...(await countRows(queries, from)), lead };
  }
  const parts = countAll(conditions);
  const rows = await queries.scan(
    `SELECT 0 ${parts.map(({ sign, count }) => `${sign} (${count.text})`).join(' ')} AS total`,
    parts.flatMap(({ count }) => count.params),
  );
  return { total: Number(rows[0]?.total ?? 0), isCurrent: true, lead };
}

/** Neither the roll-up nor a single index has the number. */
function isUncounted(conditions: readonly ResolvedCondition[]): boolean {
  if (conditions.some(({ kind }) => kind === 'row')) return true;
  const others = conditions.filter(({ kind }) => kind !== 'start');
  return others.some(({ kind }) => kind === 'label') && others.length > 1;
}

/** The matches as FROM and WHERE, beginning with the label that leads. CROSS JOIN makes SQLite begin there. */
export function fromOf(
  conditions: readonly ResolvedCondition[],
  lead: LabelCondition | undefined,
  narrow: (condition: ResolvedCondition) => Sql = whereOf,
): Sql {
  const others = join(conditions.filter((condition) => condition !== lead).map(narrow), ' AND ');
  if (lead === undefined) return sql(`executions WHERE ${others.text}`, ...others.params);
  const starts = startsOnLabel(conditions);
  return sql(
    `execution_labels d CROSS JOIN executions
     WHERE d.key = ? AND d.value = ? AND ${starts.text} AND executions.id = d.execution_id AND ${others.text}`,
    lead.key,
    lead.value,
    ...starts.params,
    ...others.params,
  );
}

/** Labels know the start of their execution: with nothing else asked, its own row adds nothing to the number. */
function onlyLabels(
  conditions: readonly ResolvedCondition[],
  lead: LabelCondition | undefined,
): Sql | undefined {
  const isKnown = conditions.every(({ kind }) => kind === 'label' || kind === 'start');
  if (lead === undefined || !isKnown) return undefined;
  const starts = startsOnLabel(conditions);
  const others = join(
    conditions.filter((condition) => condition.kind === 'label' && condition !== lead).map(whereOf),
    ' AND ',
  );
  return sql(
    `execution_labels d WHERE d.key = ? AND d.value = ? AND ${starts.text}
       AND ${others.text.replaceAll('executions.id', 'd.execution_id')}`,
    lead.key,
    lead.value,
    ...starts.params,
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

/** Whole flows, and of the others those found by their id. */
function countMatching(rest: readonly ResolvedCondition[], words: Words): Part[] {
  const others = join([...rest.map(whereOf), words.byId, not(words.byFlow)], ' AND ');
  return [
    ...countAll([...rest, { kind: 'rollUp', field: 'q', where: words.byFlow, spread: true }]),
    { sign: '+', count: countOf(others) },
  ];
}

function countPlain(conditions: readonly ExecutionCondition[]): Part[] {
  const label = conditions.find((condition) => condition.kind === 'label');
  if (label !== undefined) return [{ sign: '+', count: countLabelled(conditions, label) }];
  const rest = conditions.filter((condition) => condition.kind !== 'main');
  if (rest.length === conditions.length) return countWithRollUp(conditions);
  // Most executions have no parent and no index tells which; those that have one are few and indexed.
  const children = join([conditionsOf(rest), sql('trigger_execution_id IS NOT NULL')], ' AND ');
  return [...countPlain(rest), { sign: '-', count: countOf(children) }];
}

const takeOff = (parts: readonly Part[]): Part[] =>
  parts.map(({ sign, count }) => ({ sign: sign === '+' ? '-' : '+', count }));

export function whereOf(condition: ResolvedCondition): Sql {
  if (condition.kind !== 'words') return condition.where;
  return condition.negated ? not(eitherOf(condition)) : eitherOf(condition);
}

const countOf = (where: Sql): Sql =>
  sql(`SELECT count(*) FROM executions WHERE ${where.text}`, ...where.params);

/** One label, and nothing else but bounds of the start date: its index knows. */
function countLabelled(conditions: readonly ExecutionCondition[], label: LabelCondition): Sql {
  const starts = startsOnLabel(conditions);
  return sql(
    `SELECT count(*) FROM execution_labels d WHERE d.key = ? AND d.value = ? AND ${starts.text}`,
    label.key,
    label.value,
    ...starts.params,
  );
}

function countWithRollUp(conditions: readonly ExecutionCondition[]): Part[] {
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
  const counts =
    firstDay >= endDay
      ? [countStarted(where, from, to)]
      : [
          countDays(where, firstDay, endDay),
          ...(from < firstDay * msPerDay ? [countStarted(where, from, firstDay * msPerDay)] : []),
          ...(endDay * msPerDay < to ? [countStarted(where, endDay * msPerDay, to)] : []),
        ];
  return counts.map((count) => ({ sign: '+', count }));
}

/** Rows of the executions table with `from <= start < to`. */
function countStarted(where: Sql, from: number, to: number): Sql {
  return countOf(join([sql('start_date >= ? AND start_date < ?', from, to), where], ' AND '));
}

function countDays(where: Sql, firstDay: number, endDay: number): Sql {
  const bounds: Sql[] = [where];
  if (Number.isFinite(firstDay)) bounds.push(sql('day >= ?', firstDay));
  if (Number.isFinite(endDay)) bounds.push(sql('day < ?', endDay));
  const all = join(bounds, ' AND ');
  return sql(`SELECT coalesce(sum(n), 0) FROM execution_stats WHERE ${all.text}`, ...all.params);
}
