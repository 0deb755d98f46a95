import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../openStore.ts';
import { openForWriting } from '../sqlite/openForWriting.ts';
import type { StoreConfig } from '../storeConfig.ts';
import { anExecution, createTestDatabase, temporaryFolder } from '../suite/index.ts';

const databases: [string, () => Promise<StoreConfig>][] = [
  [
    'SQLite',
    async () => {
      const folder = temporaryFolder();
      onTestFinished(() => folder.remove());
      return { kind: 'sqlite', folder: folder.path };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const { url, drop } = await createTestDatabase();
      onTestFinished(drop);
      return { kind: 'postgres', url };
    },
  ],
];

/** Runs one statement on a database that no store has open, and returns its rows. */
async function query(config: StoreConfig, text: string): Promise<unknown[]> {
  if (config.kind === 'sqlite') {
    const database = openForWriting(join(config.folder, 'millrace.db'));
    try {
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: config.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const recorded = 'SELECT version FROM schema_version ORDER BY version';
const versions = (last: number) => Array.from({ length: last }, (_, index) => ({ version: index + 1 }));

/** Records the steps in which development versions reached their schema, up to `last`. */
async function recordSteps(config: StoreConfig, last: number): Promise<void> {
  await query(config, 'DELETE FROM schema_version');
  const values = versions(last).map(({ version }) => `(${version}, 0)`);
  await query(config, `INSERT INTO schema_version (version, applied_at) VALUES ${values.join(', ')}`);
}

describe('the schema', () => {
  it.each(databases)(
    '[A46] leaves nothing behind when its creation fails in the middle, and can be created then: %s',
    async (_, create) => {
      const config = await create();
      // A table of the same name makes a later statement fail, after earlier ones have run.
      await query(config, 'CREATE TABLE dashboards (obstacle INTEGER)');
      await expect(openStore(config)).rejects.toThrow(/dashboards/);
      await expect(query(config, recorded)).rejects.toThrow(/schema_version/);
      await expect(query(config, 'SELECT * FROM executions')).rejects.toThrow(/executions/);
      await query(config, 'DROP TABLE dashboards');
      await (await openStore(config)).close();
      expect(await query(config, recorded)).toEqual([{ version: 18 }]);
    },
  );
});

describe('data of a development version', () => {
  it.each(databases)('[A46] is read and written on when it has all 18 steps: %s', async (_, create) => {
    const config = await create();
    const old = await openStore(config);
    await old.commit([{ op: 'execution.insert', execution: anExecution({ id: 'one' }) }]);
    await old.close();
    await recordSteps(config, 18);
    const store = await openStore(config);
    expect(await store.getExecution('one')).toMatchObject({ execution: { id: 'one' } });
    await store.commit([{ op: 'execution.insert', execution: anExecution({ id: 'two' }) }]);
    expect((await store.listExecutions({ filters: [], page: 1, size: 10 })).total).toBe(2);
    await store.close();
    expect(await query(config, recorded)).toEqual(versions(18));
  });

  it.each(databases)(
    '[A46] with fewer steps is refused unchanged, with the way on: %s',
    async (_, create) => {
      const config = await create();
      await (await openStore(config)).close();
      await recordSteps(config, 17);
      await expect(openStore(config)).rejects.toMatchObject({
        code: 'illegal-state',
        message: expect.stringMatching(
          /^The database has schema 17 of a development version of Millrace, .*; start commit \w+ once, which upgrades it to 18/,
        ),
      });
      expect(await query(config, recorded)).toEqual(versions(17));
    },
  );
});

describe('a data folder that cannot be read', () => {
  it('says so in one sentence', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder.path, 'millrace.db'), 'no database at all\n'.repeat(1_000));
    await expect(openStore({ kind: 'sqlite', folder: folder.path })).rejects.toMatchObject({
      code: 'illegal-state',
      message: expect.stringMatching(/millrace\.db" cannot be read \(file is not a database\)\.$/),
    });
    folder.remove();
  });
});
