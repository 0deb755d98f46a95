import type { StoreConfig } from '@millrace/store';
import type { Config } from './config/schema.ts';

/** Which database the configuration means. */
export const storeOf = ({ database, data }: Pick<Config, 'database' | 'data'>): StoreConfig =>
  database.url === undefined ? { kind: 'sqlite', folder: data } : { kind: 'postgres', url: database.url };
