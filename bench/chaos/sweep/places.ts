import { openStore } from '@millrace/store';
import { createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { prepareQueue } from '../../../packages/server/src/workers/queue.ts';
import type { Place } from './point.ts';

type PreparedPlace = Place & { remove(): Promise<void> };

/** SQLite: the folder of the play is enough. */
export const inFolder = async (): Promise<PreparedPlace> => ({ remove: async () => {} });

/** A database with all tables, to be copied: making them takes longer than most plays. */
export async function createTemplate(serverUrl?: string): Promise<TestDatabase> {
  const database = await createTestDatabase(serverUrl);
  await (await openStore({ kind: 'postgres', url: database.url })).close();
  await prepareQueue(database.url);
  return database;
}

/** A database of its own; on the PostgreSQL of the tests unless an address is given. */
export async function inDatabase(serverUrl?: string, template?: TestDatabase): Promise<PreparedPlace> {
  const database = await createTestDatabase(serverUrl, template);
  return {
    databaseUrl: database.url,
    // By somebody else: a server that died while it stopped has let go of its connections.
    bury: async () => {
      const store = await openStore({ kind: 'postgres', url: database.url });
      const servers = await database.query('SELECT id FROM servers WHERE gone_at IS NULL');
      const ids = servers.map(({ id }) => String(id));
      await store.cluster?.bury(ids, 0).finally(() => store.close());
    },
    remove: () => database.drop(),
  };
}
