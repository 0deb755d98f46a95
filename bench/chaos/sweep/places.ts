import { createTestDatabase } from '@millrace/store/suite';
import type { Place } from './point.ts';

type PreparedPlace = Place & { remove(): Promise<void> };

/** SQLite: the folder of the play is enough. */
export const inFolder = async (): Promise<PreparedPlace> => ({ remove: async () => {} });

/** A database of its own; on the PostgreSQL of the tests unless an address is given. */
export async function inDatabase(serverUrl?: string): Promise<PreparedPlace> {
  const database = await createTestDatabase(serverUrl);
  return {
    databaseUrl: database.url,
    bury: async (store) => {
      const servers = await database.query('SELECT id FROM servers WHERE gone_at IS NULL');
      await store.cluster?.bury(
        servers.map(({ id }) => String(id)),
        0,
      );
    },
    remove: () => database.drop(),
  };
}
