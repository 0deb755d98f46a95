import type { Dialect } from '../filters/dialect.ts';
import type { Sql } from '../filters/sql.ts';
import type { Row } from '../rows/value.ts';

/** Runs a statement that selects `total`; undefined: too many counts are already queued. */
export type CachedCount = (statement: Sql) => Promise<number | undefined>;

/**
 * Runs the reads on a database. The statements are the same for both databases and use `?` for values.
 * `point` is for a few rows found by key: SQLite runs it in the calling thread. `scan` is for everything that
 * may take longer: SQLite runs it in the reading thread, so that it never blocks the event loop.
 */
export interface Queries {
  readonly dialect: Dialect;
  point(statement: Sql): Promise<readonly Row[]>;
  scan(statement: Sql): Promise<readonly Row[]>;
  /** For counts that may take seconds: separate from the lists, and cached; see `cacheCounts`. */
  readonly cachedCount: CachedCount;
}
