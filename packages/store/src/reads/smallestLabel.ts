import type { ExecutionCondition, LabelCondition } from '../filters/executionFilters.ts';
import { oneOfPairs } from '../filters/labels.ts';
import { and, joined, never, raw, type Sql, sql } from '../filters/sql.ts';
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
  const columns = counts.map((count, index) => sql`(${count}) AS ${raw(`n${index}`)}`);
  const rows = await queries.scan(sql`SELECT ${joined(columns, ', ')}`);
  return labels
    .map((label, index) => ({ label, size: Number(rows[0]?.[`n${index}`]) }))
    .reduce((a, b) => (b.size < a.size ? b : a));
}

const manyPairs = 20;

/** Counts pair by pair, because PostgreSQL collects all entries of several pairs before it applies the limit. */
function countLabelled(label: LabelCondition, conditions: readonly ExecutionCondition[], upTo: number): Sql {
  const each =
    label.pairs.length > manyPairs ? [label] : label.pairs.map((pair) => ({ ...label, pairs: [pair] }));
  const entries = each.map(
    (part) => sql`SELECT 1 AS entry FROM execution_labels d WHERE ${isEntryOf(part, conditions)}`,
  );
  const all = entries.length === 0 ? sql`SELECT 1 AS entry WHERE ${never}` : joined(entries, ' UNION ALL ');
  return sql`SELECT count(*) FROM (${all} LIMIT ${raw(upTo)}) c`;
}

/** The condition on the entries of a label, as `d`. Bounds of the start date apply to its copy there. */
export const isEntryOf = (label: LabelCondition, conditions: readonly ExecutionCondition[]): Sql =>
  and(
    oneOfPairs('d', label.pairs),
    ...conditions.flatMap((condition) => (condition.kind === 'start' ? [condition.onLabel] : [])),
  );
