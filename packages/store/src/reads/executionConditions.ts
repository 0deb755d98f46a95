import {
  type ExecutionCondition,
  executionList,
  type LabelTextCondition,
  labelCondition,
  type WordsCondition,
} from '../filters/executionFilters.ts';
import { compileFilters } from '../filters/fields.ts';
import { and, never, not, or, type Sql, sql } from '../filters/sql.ts';
import type { Filter } from '../port/filter.ts';
import { searchText } from '../rows/searchText.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

/**
 * Compiles the filters of a list of executions. Two of them are looked up first, among few values, so that an index or
 * the roll-up serves them: words among the flows, and texts in labels among the values of their key.
 */
export async function executionConditions(
  queries: Queries,
  filters: readonly Filter[],
): Promise<ExecutionCondition[]> {
  const compiled = compileFilters(executionList, filters, queries.dialect).flat();
  return Promise.all(
    compiled.map((condition) => {
      if (condition.kind === 'words') return findWords(queries, condition);
      return condition.kind === 'labelText' ? findLabels(queries, condition) : condition;
    }),
  );
}

/** As they are stored. */
type FlowPair = readonly [namespace: string, flowId: string];

/**
 * Every word begins a token of the namespace or the flow, or the id. The flows are compared here; ids that begin with
 * the words which a flow lacks have an index. Usually no id does, and the condition is one on flows.
 */
async function findWords(queries: Queries, { words, negated }: WordsCondition): Promise<ExecutionCondition> {
  const flows = await queries.scan(sql`SELECT DISTINCT namespace, flow_id FROM execution_stats`);
  const wanted = words.map((word) => ({ word: word.toLowerCase(), text: searchText(word) }));
  const all = wanted.map(({ word }) => word);
  const lacking = new Map([[all.join(' '), { words: all, pairs: [] as FlowPair[] }]]);
  for (const row of flows) {
    const pair: FlowPair = [String(row.namespace), String(row.flow_id)];
    const text = searchText(...pair.map(decodeText));
    const lacks = wanted.filter((each) => !text.includes(each.text)).map(({ word }) => word);
    const group = lacking.get(lacks.join(' '));
    if (group === undefined) lacking.set(lacks.join(' '), { words: lacks, pairs: [pair] });
    else group.pairs.push(pair);
  }
  const isOneOf = (pairs: readonly FlowPair[]): Sql => queries.dialect.flowOneOf(JSON.stringify(pairs));
  const byFlow = lacking.has('') ? isOneOf(lacking.get('')?.pairs ?? []) : never;
  const byId = [...lacking.values()].flatMap((group) => {
    const ids = group.words.length === 0 ? undefined : idsBeginningWith(group.words);
    if (ids === undefined) return [];
    // An id that begins with all words needs no flow.
    return [group.words.length === all.length ? ids : and(ids, isOneOf(group.pairs))];
  });
  const ids = or(...byId);
  const some = await queries.scan(sql`SELECT 1 AS found FROM executions WHERE ${ids} LIMIT 1`);
  if (some.length === 0)
    return { kind: 'rollUp', field: 'q', where: negated ? not(byFlow) : byFlow, isExact: false };
  const either = or(byFlow, ids);
  if (negated) return { kind: 'row', where: not(either) };
  if (byFlow === never) return { kind: 'row', where: ids };
  return { kind: 'row', where: unionOf(byFlow, ids), perRow: either };
}

/** Each part uses its own index. */
const unionOf = (a: Sql, b: Sql): Sql =>
  sql`executions.seq IN (SELECT executions.seq FROM executions WHERE ${a}
    UNION SELECT executions.seq FROM executions WHERE ${b})`;

/** A range, so that the index on `lower(id)` serves it. Undefined: no id can begin with all of these words. */
function idsBeginningWith(words: readonly string[]): Sql | undefined {
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a));
  if (encodeText(longest) !== longest || !words.every((word) => longest.startsWith(word))) return undefined;
  return sql`(lower(executions.id) >= ${longest} AND lower(executions.id) < ${`${longest}\u{10ffff}`})`;
}

/** A key with more values (an id, for example) is compared label by label. */
const manyValues = 3_000;

/** A loose index scan over the values of a key, however many labels have each. */
const valuesOf = (key: string): Sql => sql`WITH RECURSIVE steps (value) AS (
    SELECT min(value) FROM execution_labels WHERE key = ${key}
    UNION ALL
    SELECT (SELECT min(l.value) FROM execution_labels l WHERE l.key = ${key} AND l.value > steps.value)
    FROM steps WHERE steps.value IS NOT NULL
  )
  SELECT value FROM steps WHERE value IS NOT NULL LIMIT ${manyValues + 1}`;

/** Most keys have few values: the result is a list of labels, which an index can find. */
async function findLabels(queries: Queries, condition: LabelTextCondition): Promise<ExecutionCondition> {
  const rows = await queries.scan(valuesOf(encodeText(condition.key)));
  const { where, perRow } = condition;
  if (rows.length > manyValues) return { kind: 'row', where, perRow };
  const wanted = encodeText(condition.text);
  const values = rows.map((row) => String(row.value)).filter((value) => value.includes(wanted));
  return labelCondition(values.map((value) => [condition.key, decodeText(value)]));
}
