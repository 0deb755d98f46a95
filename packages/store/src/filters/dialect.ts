import type { Sql } from './sql.ts';

/** The few expressions that the two databases spell differently. `column` is always a constant of this package. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  contains(column: string, text: string): Sql;
  endsWith(column: string, text: string): Sql;
  /** The pattern is known to be a valid linear-time one. */
  matches(column: string, pattern: string): Sql;
  /** The pair (namespace, flow_id) is one of those in a JSON text `[[namespace, flow id], …]`. */
  flowOneOf(pairs: string): Sql;
  /** The same pairs as a query with the columns namespace and flow_id. */
  flowPairs(pairs: string): Sql;
  /** The column is one of the texts in a JSON list. */
  textOneOf(column: string, list: string): Sql;
  /** A text of a JSON object that a column holds. `key` is a constant of this package. */
  jsonText(column: string, key: string): string;
  /** All rows of a query as one JSON text `rows`, where that is quicker to hand over than the rows themselves. */
  packRows?(rows: Sql, columns: readonly string[]): Sql;
  /** The number of the first day of the month that a day (counted from 1970) is in. */
  startOfMonth(day: string): string;
  /** Every word begins a token of the log entry; `words` come from `searchWords`. */
  logMatchesWords(words: readonly string[]): Sql;
  /** The same, for a query that looks at one entry after the other. */
  logHasWords(words: readonly string[]): Sql;
  /**
   * The same through the index of words, as FROM and WHERE; `rest` are the other conditions, `names` texts that a match
   * must have as they are.
   */
  findLogs(words: readonly string[], names: readonly string[], rest: Sql): FoundLogs;
  /**
   * What all of the lists have, in order, each once, as a query with the columns `at` and `id`. A list is made of
   * queries with these columns, each of which an index has in this order: they are merged, and nothing is collected.
   */
  intersect(lists: readonly (readonly Sql[])[], wanted: Wanted): Sql;
}

/** Which rows of a query: without a window all of them, in any order. */
export interface Wanted {
  readonly direction: 'ASC' | 'DESC';
  readonly window?: { readonly limit: number; readonly offset: number };
}

export interface FoundLogs {
  /** The newest first, in an order in which the matches of the index come. */
  readonly order: string;
  readonly indexed: Sql;
  /** Entries that the index does not have yet, where it is filled behind the commits. */
  readonly fresh?: Sql;
  /** So many entries are looked at in some milliseconds. */
  readonly walked: number;
  /** So many at most, where the first ones tell that it leads to the end. */
  readonly farthest: number;
  /** The index is slow for these words: the newest entries are looked at as far as that before it is asked. */
  readonly walksFirst?: boolean;
  /** Of the newest entries that begin a token with each of these words, those that match in all. */
  ledBy?(lead: readonly string[]): Sql;
}
