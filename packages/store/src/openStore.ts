import type pg from 'pg';
import type { Store } from './port/store.ts';
import type { OpenOptions, StoreConfig } from './storeConfig.ts';

/** Opens the store the configuration asks for, with its schema up to date. */
export async function openStore(config: StoreConfig, options: OpenOptions = {}): Promise<Store> {
  // Loads only the driver in use: the other one would add time and memory to every start.
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
