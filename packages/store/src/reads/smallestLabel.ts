import type { ExecutionCondition, LabelCondition } from '../filters/executionFilters.ts';
import { oneOfPairs } from '../filters/labels.ts';
import { join, type Sql, sql } from '../filters/sql.ts';
import type { Queries } from './queries.ts';
import type { ResolvedCondition } from './resolveWords.ts';

/** A label with its size, counted up to a limit. */
export interface Lead {
  readonly label: LabelCondition;
  readonly size: number;
}

/** The label with the fewest executions, if any; sizes are counted only up to `upTo`. */
export async function smallestLabel(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
  upTo: number,
): Promise<Lead | undefined> {
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

function countLabelled(label: LabelCondition, conditions: readonly ResolvedCondition[], upTo: number): Sql {
  const labelled = labelledBy(label, conditions);
  return sql(`SELECT count(*) FROM (SELECT 1 FROM ${labelled.text} LIMIT ${upTo}) c`, ...labelled.params);
}

/** The entries of a label within the bounds of the start date, as FROM and WHERE. */
export function labelledBy(label: LabelCondition, conditions: readonly ResolvedCondition[]): Sql {
  const [pairs, starts] = [oneOfPairs('d', label.pairs), startsOnLabel(conditions)];
  return sql(`execution_labels d WHERE ${pairs.text} AND ${starts.text}`, ...pairs.params, ...starts.params);
}

/** Bounds of the start date, on the copy of it in the label table. */
function startsOnLabel(conditions: readonly ResolvedCondition[]): Sql {
  const starts = conditions.flatMap((condition: ResolvedCondition | ExecutionCondition) =>
    condition.kind === 'start' ? [condition.where] : [],
  );
  const { text, params } = join(starts, ' AND ');
  return sql(text.replaceAll('executions.start_date', 'd.start_date'), ...params);
}
