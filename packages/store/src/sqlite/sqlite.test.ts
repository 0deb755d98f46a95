import { describe, expect, it } from 'vitest';
import { openStore } from '../openStore.ts';
import type { OpenedStore } from '../suite/index.ts';
import { storeSuite, temporaryFolder } from '../suite/index.ts';

async function open(): Promise<OpenedStore> {
  const folder = temporaryFolder();
  const config = { kind: 'sqlite', folder: folder.path } as const;
  let store = await openStore(config);
  return {
    store,
    close: async () => {
      await store.close();
      folder.remove();
    },
    reopen: async () => {
      await store.close();
      store = await openStore(config);
      return store;
    },
  };
}

storeSuite('SQLite', open);

describe('SQLite data folder', () => {
  it('refuses a second server and accepts one after the first has gone', async () => {
    const folder = temporaryFolder();
    const config = { kind: 'sqlite', folder: folder.path } as const;
    const first = await openStore(config);
    await expect(openStore(config)).rejects.toMatchObject({
      code: 'illegal-state',
      message: `The data folder ${JSON.stringify(folder.path)} is in use by another running server.`,
    });
    await first.close();
    const second = await openStore(config);
    await second.close();
    folder.remove();
  });
});
