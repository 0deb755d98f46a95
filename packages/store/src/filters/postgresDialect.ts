import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { join, sql } from './sql.ts';

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
  /** LIKE because the trigram index serves it; words are letters, digits and spaces, so nothing needs escaping. */
  logMatchesWords: (words) =>
    join(
      words.map((word) => sql('search LIKE ?', `%${word}%`)),
      ' AND ',
    ),
};
