import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@millrace/store';
import { createTestDatabase, type TestDatabase, temporaryFolder } from '@millrace/store/suite';

/**
 * A database that tests run on, without data but with the newest schema: copying one takes a fraction of the time that
 * its migrations take. SQLite has its database in the server's data folder.
 */
export interface Database {
  readonly name: string;
  prepare(folder: string): Promise<{ readonly url?: string; remove(): Promise<void> }>;
}

export const sqlite: Database = {
  name: 'SQLite',
  prepare: async (folder) => {
    emptySqlite ??= createEmptySqlite();
    writeFileSync(join(folder, file), await emptySqlite);
    return { remove: async () => {} };
  },
};

const postgres: Database = {
  name: 'PostgreSQL',
  prepare: async () => {
    const { url, drop } = await createMigratedDatabase();
    return { url, remove: drop };
  },
};

export const databases: readonly Database[] = [sqlite, postgres];

/** A PostgreSQL database for one test file. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  emptyPostgres ??= createEmptyPostgres();
  return createTestDatabase(undefined, await emptyPostgres);
}

const file = 'millrace.db';
// Made by the first test of this process that needs it.
let emptySqlite: Promise<Buffer> | undefined;
let emptyPostgres: Promise<TestDatabase> | undefined;

async function createEmptySqlite(): Promise<Buffer> {
  const folder = temporaryFolder();
  const store = await openStore({ kind: 'sqlite', folder: folder.path });
  await store.close();
  const content = readFileSync(join(folder.path, file));
  folder.remove();
  return content;
}

async function createEmptyPostgres(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const store = await openStore({ kind: 'postgres', url: database.url });
  await store.close();
  return database;
}
