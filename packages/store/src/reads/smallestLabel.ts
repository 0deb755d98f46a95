import type { ExecutionCondition, LabelCondition } from '../filters/executionFilters.ts';
import { oneOfPairs } from '../filters/labels.ts';
import { join, type Sql, sql } from '../filters/sql.ts';
import type { Queries } from './queries.ts';

/** The label condition with the fewest executions, if any; they are counted only up to `upTo`. */
export async function smallestLabel(
  queries: Queries,
  conditions: readonly ExecutionCondition[],
  upTo: number,
): Promise<{ readonly label: LabelCondition; readonly size: number } | undefined> {
  const labels = conditions.filter((condition): condition is LabelCondition => condition.kind === 'label');
  if (labels.length === 0) return undefined;
  const counts = labels.map((label) => countLabelled(label, conditions, upTo));
  const rows = await queries.scan(
    `SELECT ${counts.map(({ text }, index) => `(${text}) AS n${index}`).join(', ')}`,
    counts.flatMap(({ params }) => params),
  );
  return labels
    .map((label, index) => ({ label, size: Number(rows[0]?.[`n${index}`]) }))
    .reduce((a, b) => (b.size < a.size ? b : a));
}

const manyPairs = 20;

/** Counts pair by pair, because PostgreSQL collects all entries of several pairs before it applies the limit. */
function countLabelled(label: LabelCondition, conditions: readonly ExecutionCondition[], upTo: number): Sql {
  const each =
    label.pairs.length > manyPairs ? [label] : label.pairs.map((pair) => ({ ...label, pairs: [pair] }));
  const entries = each.map((part) => labelledBy(part, conditions));
  const all = entries.map(({ text }) => `SELECT 1 AS entry FROM ${text}`).join(' UNION ALL ');
  return sql(
    `SELECT count(*) FROM (${all === '' ? 'SELECT 1 AS entry WHERE 1 = 0' : all} LIMIT ${upTo}) c`,
    ...entries.flatMap(({ params }) => params),
  );
}

/**
 * The entries of a label as FROM and WHERE. Bounds of the start date apply to the copy of it in the label table.
 */
export function labelledBy(label: LabelCondition, conditions: readonly ExecutionCondition[]): Sql {
  const pairs = oneOfPairs('d', label.pairs);
  const starts = join(
    conditions.flatMap((condition) => (condition.kind === 'start' ? [condition.where] : [])),
    ' AND ',
  );
  const onLabel = starts.text.replaceAll('executions.start_date', 'd.start_date');
  return sql(`execution_labels d WHERE ${pairs.text} AND ${onLabel}`, ...pairs.params, ...starts.params);
}
