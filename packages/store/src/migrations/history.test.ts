import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../openStore.ts';
import { openForWriting } from '../sqlite/openForWriting.ts';
import type { StoreConfig } from '../storeConfig.ts';
import { anExecution, createTestDatabase, temporaryFolder } from '../suite/index.ts';
import { createVersionTable, migrations } from './migrations.ts';

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

/** Creates the database as the last published version had it. */
async function createPublished(config: StoreConfig): Promise<void> {
  const [{ version, sqlite, postgres }] = migrations;
  const record = `INSERT INTO schema_version (version, applied_at) VALUES (${version}, 0)`;
  const text = [createVersionTable, config.kind === 'sqlite' ? sqlite : postgres, record].join(';\n');
  if (config.kind === 'postgres') await query(config, text);
  else {
    const database = openForWriting(join(config.folder, 'millrace.db'));
    database.exec(text);
    database.close();
  }
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
      expect(await query(config, recorded)).toEqual(migrations.map(({ version }) => ({ version })));
    },
  );
});

describe('a database of an older version', () => {
  it.each(databases)('[A46] is upgraded when the version was published: %s', async (_, create) => {
    const config = await create();
    await createPublished(config);
    await query(
      config,
      `INSERT INTO templates (namespace, id, updated_at, search, data)
       VALUES ('company', 'kept', 0, '', '{"namespace":"company","id":"kept","tasks":[]}')`,
    );
    const store = await openStore(config);
    await store.commit([{ op: 'execution.insert', execution: anExecution({ id: 'one' }) }]);
    expect((await store.listExecutions({ filters: [], page: 1, size: 10 })).total).toBe(1);
    await store.close();
    expect(await query(config, 'SELECT id FROM templates')).toEqual([{ id: 'kept' }]);
    expect(await query(config, 'SELECT author, message FROM flows')).toEqual([]);
    expect(await query(config, 'SELECT * FROM documents')).toEqual([]);
    expect(await query(config, recorded)).toEqual(migrations.map(({ version }) => ({ version })));
  });

  it.each(databases)(
    '[A46] is refused unchanged when the version was not published: %s',
    async (_, create) => {
      const config = await create();
      await createPublished(config);
      await query(config, 'UPDATE schema_version SET version = 14');
      await expect(openStore(config)).rejects.toMatchObject({
        code: 'illegal-state',
        message: expect.stringMatching(/^The database has schema 14 of an unpublished version of Millrace, /),
      });
      expect(await query(config, recorded)).toEqual([{ version: 14 }]);
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
