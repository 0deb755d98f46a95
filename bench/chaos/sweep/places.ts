import { openStore } from '@millrace/store';
import { createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { prepareQueue } from '../../../packages/server/src/worker/remote/queue.ts';
import type { Place } from './point.ts';

type PreparedPlace = Place & { remove(): Promise<void> };

/** SQLite: the folder of the run is enough. */
export const inFolder = async (): Promise<PreparedPlace> => ({ remove: async () => {} });

/** A database with all tables as a template: creating them takes longer than most runs. */
export async function createTemplate(serverUrl?: string): Promise<TestDatabase> {
  const database = await createTestDatabase(serverUrl);
  await (await openStore({ kind: 'postgres', url: database.url })).close();
  await prepareQueue(database.url);
  return database;
}

/** A separate database; on the PostgreSQL server of the tests unless a URL is given. */
export async function inDatabase(serverUrl?: string, template?: TestDatabase): Promise<PreparedPlace> {
  const database = await createTestDatabase(serverUrl, template);
  return {
    databaseUrl: database.url,
    // Uses a new store: a server that crashed during shutdown has closed its connections.
    expire: async () => {
      const store = await openStore({ kind: 'postgres', url: database.url });
      const servers = await database.query('SELECT id FROM servers WHERE gone_at IS NULL');
      const ids = servers.map(({ id }) => String(id));
      await store.cluster?.expire(ids, 0).finally(() => store.close());
    },
    remove: () => database.drop(),
  };
}
