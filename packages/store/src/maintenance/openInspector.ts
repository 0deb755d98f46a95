import type { StoreConfig } from '../storeConfig.ts';
import type { StoreInspector } from './inspection.ts';

/**
 * Inspects a database as it is: nothing is created, migrated or locked, and a server may be running on it.
 */
export async function openInspector(config: StoreConfig): Promise<StoreInspector> {
  if (config.kind === 'sqlite') {
    const { inspectSqlite } = await import('../sqlite/inspectSqlite.ts');
    return inspectSqlite(config.folder);
  }
  const { inspectPostgres } = await import('../postgres/inspectPostgres.ts');
  return inspectPostgres(config.url);
}
