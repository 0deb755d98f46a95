import type pg from 'pg';
import type { StoreChange } from '../../port/store.ts';

/** Milliseconds since the epoch, as the database counts them. */
export const databaseNow = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export interface ClusterContext {
  readonly pool: pg.Pool;
  /** For nothing but beats. */
  readonly beats: pg.Pool;
  /** For nothing but reading messages. */
  readonly messages: pg.Pool;
  /** Called when a newer release has migrated the database. */
  readonly onFenced: (error: Error) => void;
  /** Tells every other process. */
  readonly notify: (change: Partial<StoreChange>) => void;
}
