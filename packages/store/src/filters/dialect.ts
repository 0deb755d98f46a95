import type { Sql } from './sql.ts';

/** The few expressions that the two databases spell differently. `column` is always an expression of this package. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  contains(column: Sql, text: string): Sql;
  endsWith(column: Sql, text: string): Sql;
  /** The pattern is known to be a valid linear-time one. */
  matches(column: Sql, pattern: string): Sql;
  /** The pair (namespace, flow_id) is one of those in a JSON text `[[namespace, flow id], …]`. */
  flowOneOf(pairs: string): Sql;
  /** The same pairs as a query with the columns namespace and flow_id. */
  flowPairs(pairs: string): Sql;
  /** The column is one of the texts in a JSON list. */
  textOneOf(column: Sql, list: string): Sql;
  /** A text of a JSON object that a column holds. `key` is a constant of this package. */
  jsonText(column: string, key: string): Sql;
  /**
   * All rows of a query as one JSON text `rows`, where that is faster to transfer than the rows themselves.
   */
  packRows?(rows: Sql, columns: readonly string[]): Sql;
  /** The number of the first day of the month that a day (counted from 1970) is in. */
  startOfMonth(day: Sql): Sql;
  /** Every word begins a token of the log entry; `words` come from `searchWords`. */
  logMatchesWords(words: readonly string[]): Sql;
  /** The same, for a query that scans entries one by one. */
  logHasWords(words: readonly string[]): Sql;
  /**
   * The same through the index of words, as FROM and WHERE; `rest` are the other conditions, `names` texts that a match
   * must contain unchanged.
   */
  findLogs(words: readonly string[], names: readonly string[], rest: Sql): FoundLogs;
}

export interface FoundLogs {
  /** Newest first, in an order that the index returns. */
  readonly order: Sql;
  readonly indexed: Sql;
  /** Entries that are not indexed yet, where the index is filled after the commits. */
  readonly fresh?: Sql;
  /** The number of newest entries that are scanned before the index is used. */
  readonly walked: number;
  /** The matches among the newest entries that contain these words. */
  drivenBy?(words: readonly string[]): Sql;
}
