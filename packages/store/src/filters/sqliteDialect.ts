import { logTextColumns } from '../rows/columns.ts';
import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { type Sql, sql } from './sql.ts';

/** `matches_pattern` and `has_words` are custom functions on the reading connections. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  contains: (column, text) => sql(`instr(${column}, ?) > 0`, encodeText(text)),
  endsWith: (column, text) => sql(`substr(${column}, ?) = ?`, -[...text].length, encodeText(text)),
  matches: (column, pattern) => sql(`matches_pattern(?, ${column})`, encodeText(pattern)),
  flowOneOf: (pairs) =>
    sql('(namespace, flow_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', pairs),
  flowPairs: (pairs) =>
    sql('SELECT value ->> 0 AS namespace, value ->> 1 AS flow_id FROM json_each(?)', pairs),
  textOneOf: (column, list) => sql(`${column} IN (SELECT value FROM json_each(?))`, list),
  jsonText: (column, key) => `${column} ->> '${key}'`,
  packRows: ({ text, params }, columns) =>
    sql(`SELECT json_group_array(json_array(${columns.join(', ')})) AS rows FROM (${text})`, ...params),
  startOfMonth: (day) =>
    `(CAST(strftime('%s', ${day} * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400)`,
  /**
   * The index has the entries up to the mark; the few after it are compared one by one, so that none is
   * missed.
   */
  logMatchesWords: (words) =>
    sql(
      `id IN (
         SELECT rowid FROM log_search WHERE log_search MATCH ?
         UNION ALL
         SELECT id FROM logs WHERE id > (SELECT last_id FROM log_search_mark) AND ${hasWords(words).text}
       )`,
      matchOf(words),
      ...hasWords(words).params,
    ),
  logHasWords: hasWords,
  findLogs: (words, names, rest) => ({
    order: 'logs.id DESC',
    walked: 2_000,
    ledBy: (lead) =>
      sql(
        `(SELECT rowid AS found_id FROM log_search WHERE log_search MATCH ? ORDER BY rowid DESC LIMIT 3000) f
         CROSS JOIN logs ON logs.id = f.found_id WHERE ${rest.text} AND ${hasWords(words).text}`,
        matchOf(lead),
        ...rest.params,
        ...hasWords(words).params,
      ),
    // The LIMIT keeps SQLite from using an index of the other conditions: these entries are few.
    fresh: sql(
      `(SELECT * FROM logs WHERE id > (SELECT last_id FROM log_search_mark) LIMIT -1) logs
       WHERE ${hasWords(words).text} AND ${rest.text}`,
      ...hasWords(words).params,
      ...rest.params,
    ),
    indexed: sql(
      `log_search CROSS JOIN logs ON logs.id = log_search.rowid WHERE log_search MATCH ? AND ${rest.text}`,
      // The last part of a name is more selective than the first, which many names share; the full name is
      // compared too.
      [matchOf(words), ...names.map((name) => `"${name.trim().split(' ').at(-1)}"`)].join(' '),
      ...rest.params,
    ),
  }),
};

function hasWords(words: readonly string[]): Sql {
  return sql(`has_words(?, ${logTextColumns.join(', ')})`, words.join('\n'));
}

const matchOf = (words: readonly string[]): string => words.map((word) => `"${word.trim()}"*`).join(' ');
