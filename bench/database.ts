import { createTestDatabase, startPostgres } from '@millrace/store/suite';
import { hasPostgres } from '../scripts/setup/postgres.mjs';
import type { Database } from './options.ts';

type CreateDatabase = () => Promise<string | undefined>;

/** Prepares a database of a kind, uses it and cleans up. Returns undefined where it is not installed. */
export async function withDatabase<T>(
  database: Database,
  use: (createDatabase: CreateDatabase) => Promise<T>,
): Promise<T | undefined> {
  if (database === 'SQLite') return use(async () => undefined);
  if (!hasPostgres()) return undefined;
  const server = await startPostgres({ isDurable: true });
  try {
    return await use(async () => (await createTestDatabase(server.url)).url);
  } finally {
    await server.stop();
  }
}
