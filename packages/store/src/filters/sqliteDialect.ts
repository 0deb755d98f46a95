import { logTextColumns } from '../rows/columns.ts';
import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { raw, type Sql, sql } from './sql.ts';

/** `matches_pattern` and `has_words` are custom functions on the reading connections. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  contains: (column, text) => sql`instr(${column}, ${encodeText(text)}) > 0`,
  endsWith: (column, text) => sql`substr(${column}, ${-[...text].length}) = ${encodeText(text)}`,
  matches: (column, pattern) => sql`matches_pattern(${encodeText(pattern)}, ${column})`,
  flowOneOf: (pairs) =>
    sql`(namespace, flow_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`,
  flowPairs: (pairs) => sql`SELECT value ->> 0 AS namespace, value ->> 1 AS flow_id FROM json_each(${pairs})`,
  textOneOf: (column, list) => sql`${column} IN (SELECT value FROM json_each(${list}))`,
  jsonText: (column, key) => raw(`${column} ->> '${key}'`),
  packRows: (rows, columns) =>
    sql`SELECT json_group_array(json_array(${raw(columns.join(', '))})) AS rows FROM (${rows})`,
  startOfMonth: (day) =>
    sql`(CAST(strftime('%s', ${day} * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400)`,
  /**
   * The index has the entries up to a position; the few after it are compared one by one, so that none is
   * missed.
   */
  logMatchesWords: (words) =>
    sql`id IN (
      SELECT rowid FROM log_search WHERE log_search MATCH ${matchOf(words)}
      UNION ALL
      SELECT id FROM logs WHERE id > (SELECT last_id FROM log_search_position) AND ${hasWords(words)}
    )`,
  logHasWords: hasWords,
  findLogs: (words, names, rest) => ({
    order: raw('logs.id DESC'),
    walked: 2_000,
    drivenBy: (driving) => sql`
      (SELECT rowid AS found_id FROM log_search WHERE log_search MATCH ${matchOf(driving)} ORDER BY rowid DESC LIMIT 3000) f
      CROSS JOIN logs ON logs.id = f.found_id WHERE ${rest} AND ${hasWords(words)}`,
    // The LIMIT keeps SQLite from using an index of the other conditions: these entries are few.
    fresh: sql`(SELECT * FROM logs WHERE id > (SELECT last_id FROM log_search_position) LIMIT -1) logs
      WHERE ${hasWords(words)} AND ${rest}`,
    indexed: sql`log_search CROSS JOIN logs ON logs.id = log_search.rowid
      WHERE log_search MATCH ${matchOfAll(words, names)} AND ${rest}`,
  }),
};

function hasWords(words: readonly string[]): Sql {
  return sql`has_words(${words.join('\n')}, ${raw(logTextColumns.join(', '))})`;
}

const matchOf = (words: readonly string[]): string => words.map((word) => `"${word.trim()}"*`).join(' ');

/** The last part of a name is more selective than the first, which many names share; the full name is compared too. */
const matchOfAll = (words: readonly string[], names: readonly string[]): string =>
  [matchOf(words), ...names.map((name) => `"${name.trim().split(' ').at(-1)}"`)].join(' ');
