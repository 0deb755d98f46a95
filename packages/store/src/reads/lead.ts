import type { ExecutionCondition } from '../filters/executionFilters.ts';
import { join, type Sql, sql } from '../filters/sql.ts';
import type { Queries } from './queries.ts';
import type { ResolvedCondition } from './resolveWords.ts';

export type LabelCondition = Extract<ExecutionCondition, { kind: 'label' }>;

/** So many entries of a label are as good as all of them: something else should lead. */
const manyLabelled = 100_000;

/**
 * With labels there are several ways to the same rows: through the index of one of the labels, or through the other
 * conditions with a look at the labels of each row. The shorter one leads; the databases cannot know which it is.
 */
export async function chooseLead(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
  countOthers: (others: readonly ResolvedCondition[]) => Promise<number>,
): Promise<LabelCondition | undefined> {
  const labels = conditions.filter((condition): condition is LabelCondition => condition.kind === 'label');
  const [only] = labels;
  const others = conditions.filter((condition) => condition.kind !== 'label');
  if (only === undefined) return undefined;
  const canCount = others.length > 0 && others.every(({ kind }) => kind === 'rollUp' || kind === 'start');
  if (labels.length === 1 && !canCount) return only;
  const counts = labels.map((label) => countLabelled(label, others));
  const rows = await queries.scan(
    `SELECT ${counts.map(({ text }, index) => `(${text}) AS n${index}`).join(', ')}`,
    counts.flatMap(({ params }) => params),
  );
  const sizes = labels.map((_, index) => Number(rows[0]?.[`n${index}`]));
  const smallest = Math.min(...sizes);
  if (canCount && (await countOthers(others)) < smallest) return undefined;
  return labels[sizes.indexOf(smallest)];
}

function countLabelled(label: LabelCondition, others: readonly ResolvedCondition[]): Sql {
  const starts = startsOnLabel(others);
  return sql(
    `SELECT count(*) FROM (SELECT 1 FROM execution_labels d WHERE d.key = ? AND d.value = ? AND ${starts.text}
       LIMIT ${manyLabelled}) c`,
    label.key,
    label.value,
    ...starts.params,
  );
}

/** Bounds of the start date, on the column that the labels have of it. */
export function startsOnLabel(conditions: readonly ResolvedCondition[]): Sql {
  const starts = conditions.flatMap((condition) => (condition.kind === 'start' ? [condition.where] : []));
  const { text, params } = join(starts, ' AND ');
  return sql(text.replaceAll('executions.start_date', 'd.start_date'), ...params);
}
