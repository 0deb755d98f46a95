import { openStore } from '../openStore.ts';
import { createTestDatabase, type OpenedStore, storeSuite } from '../suite/index.ts';

async function open(): Promise<OpenedStore> {
  const database = await createTestDatabase();
  const config = { kind: 'postgres', url: database.url } as const;
  let store = await openStore(config);
  return {
    store,
    analyze: () => database.query('ANALYZE'),
    close: async () => {
      await store.close();
      await database.drop();
    },
    reopen: async () => {
      await store.close();
      store = await openStore(config);
      return store;
    },
  };
}

storeSuite('PostgreSQL', open);
