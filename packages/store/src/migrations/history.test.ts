import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openInspector } from '../maintenance/openInspector.ts';
import { openStore } from '../openStore.ts';
import { openForWriting } from '../sqlite/openForWriting.ts';
import type { StoreConfig } from '../storeConfig.ts';
import { anExecution, createTestDatabase, temporaryFolder } from '../suite/index.ts';
import { migrations } from './migrations.ts';

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

/** Brings a database back to schema 19: the opposite of the step that upgrades it. */
const backTo19 = {
  sqlite: [
    'ALTER TABLE executions RENAME COLUMN closed_at TO over_at',
    'ALTER TABLE log_search_position RENAME TO log_search_mark',
    'ALTER TABLE roll_up RENAME COLUMN unsettled TO doubt',
    'DROP INDEX roll_up_unsettled',
    'CREATE INDEX roll_up_doubt ON roll_up (subject, step) WHERE doubt = 1',
  ],
  postgres: [
    'ALTER TABLE executions RENAME COLUMN closed_at TO over_at',
    'ALTER TABLE roll_up RENAME COLUMN unsettled TO doubt',
    'ALTER INDEX roll_up_unsettled RENAME TO roll_up_doubt',
    'ALTER TABLE concurrency_slots RENAME COLUMN forced_closed_at TO forced_over_at',
    'ALTER TABLE concurrency_slots RENAME TO concurrency_places',
    'ALTER INDEX concurrency_slots_pkey RENAME TO concurrency_places_pkey',
    'ALTER INDEX concurrency_slots_flow RENAME TO concurrency_places_flow',
    'ALTER SEQUENCE concurrency_slots_seq_seq RENAME TO concurrency_places_seq_seq',
  ],
};

async function downgrade(config: StoreConfig): Promise<void> {
  for (const text of backTo19[config.kind]) await query(config, text);
  await query(config, 'DELETE FROM schema_version');
  for (const version of [15, 18, 19])
    await query(config, `INSERT INTO schema_version (version, applied_at) VALUES (${version}, 0)`);
}

/** Every table and index with its definition. */
const definitions = {
  sqlite: `SELECT name, replace(sql, '"', '') AS sql FROM sqlite_schema ORDER BY name`,
  postgres: `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT table_name || '.' || column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY name`,
};

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
  it.each(databases)('[A46] of schema 19 is upgraded with its executions: %s', async (_, create) => {
    const config = await create();
    const before = await openStore(config);
    const ended = anExecution({ id: 'ended', state: 'SUCCESS' });
    const open = anExecution({ id: 'open', state: 'RUNNING' });
    await before.commit([
      { op: 'execution.insert', execution: ended },
      { op: 'execution.insert', execution: open },
    ]);
    await before.close();
    const newest = await query(config, definitions[config.kind]);
    await downgrade(config);
    // Schema 19 stored the end in the text of the execution too.
    await query(
      config,
      `UPDATE executions SET data = replace(data, '{"id":"ended"', '{"overAt":1,"id":"ended"')`,
    );

    const inspector = await openInspector(config);
    expect(await inspector.inspect()).toMatchObject({ schema: 19, isKnown: true, executions: 2, open: 1 });
    await inspector.close();

    const store = await openStore(config);
    expect(await store.getExecutionRecord('ended')).toEqual(ended);
    expect(await store.openExecutions(undefined, 10)).toEqual({ ids: ['open'] });
    await store.commit([{ op: 'execution.insert', execution: anExecution({ id: 'new' }) }]);
    await store.close();
    expect(await query(config, definitions[config.kind])).toEqual(newest);
    expect(await query(config, recorded)).toEqual([15, 18, 19, 20].map((version) => ({ version })));
  });

  it.each(databases)('[A46] that cannot be upgraded is refused unchanged: %s', async (_, create) => {
    const config = await create();
    await (await openStore(config)).close();
    await query(config, 'UPDATE schema_version SET version = 18');
    await expect(openStore(config)).rejects.toMatchObject({
      code: 'illegal-state',
      message: expect.stringMatching(/^The database has schema 18 of an unreleased version of Millrace, /),
    });
    expect(await query(config, recorded)).toEqual([{ version: 18 }]);
  });
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
