import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { always, and, hideFromPlanner, raw, type Sql, sql } from './sql.ts';

export const postgresDialect: Dialect = {
  name: 'postgres',
  contains: (column, text) => sql`strpos(${column}, ${encodeText(text)}) > 0`,
  endsWith: (column, text) => sql`right(${column}, ${[...text].length}) = ${encodeText(text)}`,
  matches: (column, pattern) => sql`${column} ~ ${encodeText(pattern)}`,
  flowOneOf: (pairs) =>
    sql`(namespace, flow_id) IN (SELECT v ->> 0, v ->> 1 FROM json_array_elements(${pairs}::json) v)`,
  flowPairs: (pairs) =>
    sql`SELECT v ->> 0 AS namespace, v ->> 1 AS flow_id FROM json_array_elements(${pairs}::json) v`,
  textOneOf: (column, list) => sql`${column} IN (SELECT json_array_elements_text(${list}::json))`,
  jsonText: (column, key) => raw(`${column}::json ->> '${key}'`),
  startOfMonth: (day) =>
    sql`(extract(epoch FROM date_trunc('month', timestamp 'epoch' + ${day} * interval '1 day'))::bigint / 86400)`,
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
      order: raw('logs.at DESC, logs.id DESC'),
      // The index lists all entries of a common word, however few of them meet the other conditions.
      walked: rest === always ? 20_000 : 60_000,
      indexed: sql`logs
        WHERE log_words(search) @@ CAST(${wanted.map(lexeme).join(' & ')} AS tsquery) AND ${exact} AND ${rest}`,
    };
  },
};

/** A third faster than LIKE, which compares the text character by character. */
function hasWords(words: readonly string[]): Sql {
  return and(...words.map((word) => sql`strpos(search, ${word}) > 0`));
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
