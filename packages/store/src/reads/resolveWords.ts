import type { ExecutionCondition, WordsCondition } from '../filters/executionFilters.ts';
import { hideFromPlanner, join, never, type Sql, sql } from '../filters/sql.ts';
import { searchText } from '../rows/searchText.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

/**
 * A full-text filter on executions compares namespace, flow and id. There are few flows, so the words are
 * compared with each of them here. The result is a list of flows, which the roll-up can count and an index
 * can find, and ids that begin with a word, which have a dedicated index.
 */
export interface Words {
  readonly kind: 'words';
  readonly negated: boolean;
  readonly flows: readonly FlowPair[];
  /** All executions of these flows match. On columns that the roll-up has. */
  readonly byFlow: Sql;
  /** Executions of other flows whose id begins with the words that the flow does not match. */
  readonly byId: Sql;
  /** Few ids begin with these words. */
  readonly fewIds: boolean;
}

export type ResolvedCondition = ExecutionCondition | Words;

export async function resolveWords(
  queries: Queries,
  conditions: readonly (ExecutionCondition | WordsCondition)[],
): Promise<ResolvedCondition[]> {
  if (!conditions.some((condition) => condition.kind === 'words')) return conditions as ExecutionCondition[];
  const flows = await queries.scan('SELECT DISTINCT namespace, flow_id FROM execution_stats', []);
  const texts = flows.map((row): FlowText => {
    const [namespace, flowId] = [String(row.namespace), String(row.flow_id)];
    return { pair: [namespace, flowId], text: searchText(decodeText(namespace), decodeText(flowId)) };
  });
  return conditions.map((condition) =>
    condition.kind === 'words' ? compareWithFlows(condition, texts, queries) : condition,
  );
}

/** As they are stored. */
export type FlowPair = readonly [namespace: string, flowId: string];

interface FlowText {
  readonly pair: FlowPair;
  readonly text: string;
}

/** Ids are random: of a million, about twenty begin with the same three characters. */
const telling = 3;

function compareWithFlows(
  { words, negated }: WordsCondition,
  flows: readonly FlowText[],
  queries: Queries,
): Words {
  const wanted = words.map((word) => ({ word, text: searchText(word) }));
  /** Flows by the words that they do not match. */
  const lacking = new Map<string, { words: string[]; pairs: FlowPair[] }>();
  for (const { pair, text } of flows) {
    const lacks = wanted.filter((each) => !text.includes(each.text)).map((each) => each.word.toLowerCase());
    const key = JSON.stringify(lacks);
    const group = lacking.get(key);
    if (group === undefined) lacking.set(key, { words: lacks, pairs: [pair] });
    else group.pairs.push(pair);
  }
  const isOneOf = (pairs: readonly FlowPair[]): Sql => queries.dialect.flowOneOf(JSON.stringify(pairs));
  const byFlow: Sql[] = [];
  const byId: Sql[] = [];
  let fewIds = true;
  for (const group of lacking.values()) {
    if (group.words.length === 0) byFlow.push(isOneOf(group.pairs));
    else if (haveCommonBeginning(group.words)) {
      // Few ids begin with a word, but these flows are nearly all flows, so their index must not be used.
      fewIds &&= group.words.some(({ length }) => length >= telling);
      byId.push(join([...group.words.map(idBeginsWith), hideFromPlanner(isOneOf(group.pairs))], ' AND '));
    }
  }
  const flowsWithAll = lacking.get('[]')?.pairs ?? [];
  return {
    kind: 'words',
    negated,
    flows: flowsWithAll,
    byFlow: join(byFlow, ' OR '),
    byId: join(byId, ' OR '),
    fewIds,
  };
}

/** An id can begin with several words only when each is the beginning of the next longer one. */
function haveCommonBeginning(words: readonly string[]): boolean {
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a));
  return words.every((word) => longest.startsWith(word));
}

/** A range, so that the index on `lower(id)` serves it. */
function idBeginsWith(word: string): Sql {
  const safe = encodeText(word);
  if (safe !== word) return never;
  return sql('(lower(executions.id) >= ? AND lower(executions.id) < ?)', word, `${word}\u{10ffff}`);
}

/** Both parts as one condition. */
export const eitherOf = (words: Words): Sql => join([words.byFlow, words.byId], ' OR ');
