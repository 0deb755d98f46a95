import type { Filter } from '../port/filter.ts';
import { searchWords } from '../rows/searchText.ts';
import type { Dialect } from './dialect.ts';
import { compilePattern } from './pattern.ts';
import { always, join, not, type Sql } from './sql.ts';
import { textOf } from './value.ts';

/**
 * The full-text filter `q`: every word must begin a token. `matchWords` compiles this for the resource; a
 * pattern is matched against each of `columns`. `*`, or an empty query, matches everything.
 */
export function wordsFilter(
  filter: Filter,
  dialect: Dialect,
  columns: readonly string[],
  matchWords: (words: readonly string[]) => Sql,
): Sql {
  const query = textOf(filter);
  if (filter.operation === 'REGEX') {
    const pattern = compilePattern(query).pattern();
    return join(
      columns.map((column) => dialect.matches(column, pattern)),
      ' OR ',
    );
  }
  const words = query.trim() === '*' ? [] : searchWords(query);
  const matching = words.length === 0 ? always : matchWords(words);
  return filter.operation === 'NOT_EQUALS' ? not(matching) : matching;
}

/** For a table that stores its tokens in a column. */
export const columnMatchesWords =
  (column: string, dialect: Dialect) =>
  (words: readonly string[]): Sql =>
    join(
      words.map((word) => dialect.contains(column, word)),
      ' AND ',
    );
