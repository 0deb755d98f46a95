import type pg from 'pg';
import type { Store } from './port/store.ts';

export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface OpenOptions {
  /** Called with a message when committed data cannot be read any more; the store opens with what is left. */
  readonly onDamage?: (message: string) => void;
  /** Called when the store cannot write any more, whatever is tried: the process has to start again. */
  readonly onFatal?: (error: Error) => void;
}

/** Opens the store the configuration asks for, with its schema up to date. */
export async function openStore(config: StoreConfig, options: OpenOptions = {}): Promise<Store> {
  // Only the database that is used is loaded: the other one's driver would cost every start time and memory.
  if (config.kind === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/openSqliteStore.ts');
    return openSqliteStore(config.folder, options);
  }
  const { openPostgresStore } = await import('./postgres/openPostgresStore.ts');
  return openPostgresStore(config.url, options);
}

/** Connections to a PostgreSQL database for the queue of a worker. */
export async function openQueuePool(url: string): Promise<pg.Pool> {
  const { createQueuePool } = await import('./postgres/queuePool.ts');
  return createQueuePool(url);
}
