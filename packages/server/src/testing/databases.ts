import { createTestDatabase } from '@millrace/store/suite';

/** A database that tests run on. `prepare` makes an empty one; SQLite has its own in the server's data folder. */
export interface Database {
  readonly name: string;
  prepare(): Promise<{ readonly url?: string; remove(): Promise<void> }>;
}

export const sqlite: Database = { name: 'SQLite', prepare: async () => ({ remove: async () => {} }) };

const postgres: Database = {
  name: 'PostgreSQL',
  prepare: async () => {
    const { url, drop } = await createTestDatabase();
    return { url, remove: drop };
  },
};

export const databases: readonly Database[] = [sqlite, postgres];
