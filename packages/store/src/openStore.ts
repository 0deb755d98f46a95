import type { Store } from './port/store.ts';
import { openPostgresStore } from './postgres/openPostgresStore.ts';
import { openSqliteStore } from './sqlite/openSqliteStore.ts';

export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Opens the store the configuration asks for, with its schema up to date. */
export async function openStore(config: StoreConfig): Promise<Store> {
  if (config.kind === 'sqlite') return openSqliteStore(config.folder);
  return openPostgresStore(config.url);
}
