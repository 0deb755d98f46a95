import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { hideFromPlanner, join, type Sql, sql } from './sql.ts';

export const postgresDialect: Dialect = {
  name: 'postgres',
  contains: (column, text) => sql(`strpos(${column}, ?) > 0`, encodeText(text)),
  endsWith: (column, text) => sql(`right(${column}, ?) = ?`, [...text].length, encodeText(text)),
  matches: (column, pattern) => sql(`${column} ~ ?`, encodeText(pattern)),
  flowOneOf: (pairs) =>
    sql('(namespace, flow_id) IN (SELECT v ->> 0, v ->> 1 FROM json_array_elements(?::json) v)', pairs),
  flowPairs: (pairs) =>
    sql('SELECT v ->> 0 AS namespace, v ->> 1 AS flow_id FROM json_array_elements(?::json) v', pairs),
  textOneOf: (column, list) => sql(`${column} IN (SELECT json_array_elements_text(?::json))`, list),
  jsonText: (column, key) => `${column}::json ->> '${key}'`,
  startOfMonth: (day) =>
    `(extract(epoch FROM date_trunc('month', timestamp 'epoch' + ${day} * interval '1 day'))::bigint / 86400)`,
  logMatchesWords: hasWords,
  logHasWords: hasWords,
  /** The index has single words, and prefixes of very long ones, so its results are compared again. */
  findLogs: (words, names, rest) => {
    const tokens = [
      ...words.flatMap((word) =>
        tokensOf(word).map((text, i, { length }): Token => ({ text, isBeginning: i === length - 1 })),
      ),
      // The last part of a name is more selective than the first, which many names share; the full name is
      // compared too.
      ...names.flatMap((name) =>
        tokensOf(name)
          .slice(-1)
          .map((text): Token => ({ text, isBeginning: false })),
      ),
    ];
    const telling = tokens.filter(({ text, isBeginning }) => !isBeginning || text.length >= tellingLength);
    const wanted = telling.length === 0 ? tokens : telling;
    const exact = hideFromPlanner(hasWords(words));
    return {
      order: 'logs.at DESC, logs.id DESC',
      walked: 20_000,
      farthest: 150_000,
      walksFirst: telling.length < tokens.length,
      indexed: sql(
        `logs WHERE log_words(search) @@ CAST(? AS tsquery) AND ${exact.text} AND ${rest.text}`,
        wanted.map(lexeme).join(' & '),
        ...exact.params,
        ...rest.params,
      ),
    };
  },
  /**
   * Combines one query of each list at a time: with several at once PostgreSQL would collect and sort their
   * rows.
   */
  intersect: (lists, { direction, window }) => {
    const upTo = window && sql(' LIMIT ?', window.limit + window.offset);
    const merged = combine(lists).map((chosen) => merge(chosen, direction, upTo));
    const all = merged.length === 1 ? merged[0]?.text : merged.map(({ text }) => `(${text})`).join(' UNION ');
    const params = merged.flatMap((each) => each.params);
    if (window === undefined) return sql(`${all}`, ...params);
    return sql(
      `SELECT at, id FROM (${all}) m ORDER BY at ${direction}, id ${direction} LIMIT ? OFFSET ?`,
      ...params,
      window.limit,
      window.offset,
    );
  },
};

/** Every combination of one query per list. */
const combine = (lists: readonly (readonly Sql[])[]): readonly (readonly Sql[])[] =>
  lists.reduce<readonly (readonly Sql[])[]>(
    (chosen, list) => chosen.flatMap((before) => list.map((each) => [...before, each])),
    [[]],
  );

/**
 * OFFSET 0 preserves the order of each query, so that a merge join is the cheapest plan for the first rows. A
 * query for all rows does not need the order.
 */
function merge(queries: readonly Sql[], direction: string, upTo: Sql | undefined): Sql {
  const joined = queries.map(({ text }, index) => {
    const list =
      upTo === undefined
        ? `(${text}) s${index}`
        : `(SELECT at, id FROM (${text}) u ORDER BY at ${direction} OFFSET 0) s${index}`;
    return index === 0 ? list : `JOIN ${list} ON s${index}.at = s0.at AND s${index}.id = s0.id`;
  });
  const order = upTo === undefined ? '' : ` ORDER BY s0.at ${direction}, s0.id ${direction}${upTo.text}`;
  return sql(
    `SELECT s0.at, s0.id FROM ${joined.join(' ')}${order}`,
    ...queries.flatMap(({ params }) => params),
    ...(upTo?.params ?? []),
  );
}

/** A third faster than LIKE, which compares the text character by character. */
function hasWords(words: readonly string[]): Sql {
  return join(
    words.map((word) => sql('strpos(search, ?) > 0', word)),
    ' AND ',
  );
}

interface Token {
  readonly text: string;
  readonly isBeginning: boolean;
}

/**
 * A single character is a prefix of too many words, including numbers and ids: collecting them takes seconds.
 */
const tellingLength = 2;

const tokensOf = (text: string): string[] => text.trim().split(' ');

/** The maximum length of a word in the index; see migration 013. */
const longestLexeme = 500;
function lexeme({ text, isBeginning }: Token): string {
  const letters = [...text];
  const isCut = letters.length > longestLexeme;
  return `'${letters.slice(0, longestLexeme).join('')}'${isBeginning || isCut ? ':*' : ''}`;
}
