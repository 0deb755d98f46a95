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
  /** Every word begins a token of the log entry; `words` come from `searchWords`. */
  logMatchesWords(words: readonly string[]): Sql;
}
