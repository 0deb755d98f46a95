import { labelCondition } from '../filters/executionFilters.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';
import type { ResolvedCondition } from './resolveWords.ts';

/** A key with more values (an id, for example) is compared label by label. */
const manyValues = 3_000;

/** A loose index scan over the values of a key, however many labels have each. */
const valuesOf = `WITH RECURSIVE steps (value) AS (
    SELECT min(value) FROM execution_labels WHERE key = ?
    UNION ALL
    SELECT (SELECT min(l.value) FROM execution_labels l WHERE l.key = ? AND l.value > steps.value)
    FROM steps WHERE steps.value IS NOT NULL
  )
  SELECT value FROM steps WHERE value IS NOT NULL LIMIT ${manyValues + 1}`;

/**
 * Compares the text with each value of the key here, because most keys have few values. The result is a list
 * of labels, which an index can find.
 */
export async function resolveLabels(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
): Promise<readonly ResolvedCondition[]> {
  return Promise.all(
    conditions.map(async (condition) => {
      if (condition.kind !== 'labelText') return condition;
      const key = encodeText(condition.key);
      const rows = await queries.scan(valuesOf, [key, key]);
      if (rows.length > manyValues) return condition;
      const values = rows.map((row) => String(row.value));
      const wanted = encodeText(condition.text);
      return labelCondition(
        values.filter((value) => value.includes(wanted)).map((value) => [condition.key, decodeText(value)]),
      );
    }),
  );
}
