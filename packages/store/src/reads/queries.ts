import type { Dialect } from '../filters/dialect.ts';
import type { Row, SqlValue } from '../rows/value.ts';

/**
 * `merge`: lists that come in the order of what they are joined by are walked side by side. PostgreSQL is told so: what
 * it knows of the number of rows may be old, and any other way takes as long as one list times the other.
 */
export type Way = 'merge';

/** Counts what a statement selects as `total`; undefined: too much is being counted already. */
export type Tally = (text: string, params: readonly SqlValue[], way?: Way) => Promise<number | undefined>;

/**
 * How the reads reach a database. The statements are the same for both databases and use `?` for values.
 * `point` is for a few rows found through a key: SQLite runs it in the calling thread. `scan` is for everything that
 * may take longer: SQLite runs it in the reading thread, so that the event loop never waits for it.
 */
export interface Queries {
  readonly dialect: Dialect;
  point(text: string, params: readonly SqlValue[]): Promise<readonly Row[]>;
  scan(text: string, params: readonly SqlValue[], way?: Way): Promise<readonly Row[]>;
  /** For counts that may take seconds: apart from the lists, and remembered; see `rememberTallies`. */
  readonly tally: Tally;
}
