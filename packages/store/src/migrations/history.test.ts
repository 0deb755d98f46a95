import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../openStore.ts';
import type { Store } from '../port/store.ts';
import { openForWriting } from '../sqlite/openForWriting.ts';
import type { StoreConfig } from '../storeConfig.ts';
import { createTestDatabase, temporaryFolder } from '../suite/index.ts';
import { day, noon } from '../suite/records.ts';
import { createVersionTable, migrations } from './migrations.ts';

const [first] = migrations;

const history = (...states: [string, number][]): string =>
  JSON.stringify({
    current: states.at(-1)?.[0],
    histories: states.map(([state, date]) => ({ state, date })),
  });
const success = history(['CREATED', noon], ['SUCCESS', noon + 700]);
const running = history(['CREATED', noon + day], ['RUNNING', noon + day + 5]);

const execution = (id: string, state: string, at: number): string =>
  `{"id":"${id}","tenantId":"main","namespace":"company.team","flowId":"hello","flowRevision":1,"labels":[{"key":"team","value":"data"}],"originalId":"${id}","attemptNumber":1,"originalCreatedAt":${at},"state":${state}}`;

/**
 * Rows that a server of the first release wrote: schema 1 as plain text, so that no later code is involved.
 */
const rows = `
INSERT INTO executions (id, tenant_id, namespace, flow_id, flow_revision, state, start_date, end_date, duration, over_at, version, data, origin)
VALUES ('one', 'main', 'company.team', 'hello', 1, 'SUCCESS', ${noon}, ${noon + 700}, 700, ${noon + 700}, 2, '${execution('one', success, noon)}', '{"inputs":{"name":"World"}}'),
  ('two', 'main', 'company.team', 'hello', 1, 'RUNNING', ${noon + day}, NULL, NULL, NULL, 2, '${execution('two', running, noon + day)}', '{}');
INSERT INTO task_runs (execution_id, id, task_id, state, start_date, data)
VALUES ('one', 'run1', 'log', 'SUCCESS', ${noon}, '{"id":"run1","executionId":"one","taskId":"log","order":0,"attempts":[],"state":${success}}'),
  ('two', 'run2', 'log', 'RUNNING', ${noon + day}, '{"id":"run2","executionId":"two","taskId":"log","order":0,"attempts":[],"state":${running}}');
INSERT INTO execution_labels (execution_id, key, value, start_date)
VALUES ('one', 'team', 'data', ${noon}), ('two', 'team', 'data', ${noon + day});
INSERT INTO execution_events (execution_id, seq, at, events) VALUES ('one', 1, ${noon}, '[{"type":"created"}]');
INSERT INTO flows (namespace, id, revision, tenant_id, source, labels, disabled, deleted, updated_at, search, source_search, latest)
VALUES ('company.team', 'hello', 1, 'main', 'id: hello', '[]', 0, 0, ${noon}, ' company team hello', ' id hello', 1);
INSERT INTO triggers (namespace, flow_id, trigger_id, next_at, disabled, updated_at, data)
VALUES ('company.team', 'hello', 'daily', ${noon}, 0, ${noon}, '{"tenantId":"main","namespace":"company.team","flowId":"hello","triggerId":"daily","disabled":false,"nextAt":${noon},"updatedAt":${noon}}');
INSERT INTO settings (key, value) VALUES ('instance.id', '"abc"');
`;
const logs = (search: string, searched: string): string =>
  `INSERT INTO logs (tenant_id, namespace, flow_id, execution_id, at, level, message${search})
   VALUES ('main', 'company.team', 'hello', 'one', ${noon}, 2, 'Hello World'${searched});`;
const stats = (shard: string, zero: string): string =>
  `INSERT INTO execution_stats (day, namespace, flow_id, state${shard}, n, duration)
   VALUES (${Math.floor(noon / day)}, 'company.team', 'hello', 'SUCCESS'${zero}, 1, 700),
     (${Math.floor(noon / day) + 1}, 'company.team', 'hello', 'RUNNING'${zero}, 1, 0);`;
const recorded = 'INSERT INTO schema_version (version, applied_at) VALUES (1, 0);';

async function firstSqlite(): Promise<StoreConfig> {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const database = openForWriting(join(folder.path, 'millrace.db'));
  for (const text of [createVersionTable, first.sqlite, recorded, rows, logs('', ''), stats('', '')])
    database.exec(text);
  database.close();
  return { kind: 'sqlite', folder: folder.path };
}

async function firstPostgres(): Promise<StoreConfig> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const search = logs(', search', ", ' company team hello one hello world'");
  for (const text of [createVersionTable, first.postgres, recorded, rows, search, stats(', shard', ', 0')]) {
    await client.query(text);
  }
  await client.end();
  return { kind: 'postgres', url };
}

/** All reads return the rows with their original meaning, including in tables that later schemas added. */
async function expectEverything(store: Store): Promise<void> {
  const one = await store.getExecution('one');
  expect(one).toMatchObject({ version: 2, eventSeq: 1, execution: { inputs: { name: 'World' } } });
  expect(one?.taskRuns).toMatchObject([{ id: 'run1' }]);
  expect((await store.openExecutions(undefined, 10)).ids).toEqual(['two']);
  expect((await store.listExecutions({ filters: [], page: 1, size: 10 })).total).toBe(2);
  const label = { field: 'labels', operation: 'EQUALS', value: { team: 'data' } } as const;
  const state = { field: 'state', operation: 'EQUALS', value: 'SUCCESS' } as const;
  expect((await store.listExecutions({ filters: [label, state], page: 1, size: 10 })).total).toBe(1);
  const word = { field: 'q', operation: 'EQUALS', value: 'world' } as const;
  expect((await store.searchLogs({ filters: [word], page: 1, size: 10 })).total).toBe(1);
  expect((await store.searchLogs({ filters: [], page: 1, size: 10 })).total).toBe(1);
  expect((await store.searchTaskRuns({ filters: [state], page: 1, size: 10 })).total).toBe(1);
  const byFlow = { filters: [], sort: [{ field: 'flowId', descending: false }], page: 1, size: 10 };
  expect((await store.listExecutions(byFlow)).results).toHaveLength(2);
  const window = {
    from: noon - 1,
    to: noon + 2 * day,
    width: 'month',
    timeZone: 'UTC',
    filters: [],
  } as const;
  expect((await store.executionStatistics(window))[0]?.buckets[0]).toMatchObject({
    counts: { SUCCESS: 1, RUNNING: 1 },
    duration: { count: 1, sum: 700, min: 700, max: 700 },
  });
  const ofNamespace = { field: 'namespace', operation: 'EQUALS', value: 'company.team' } as const;
  const ofFlow = { field: 'flowId', operation: 'EQUALS', value: 'hello' } as const;
  for (const filters of [[], [ofNamespace], [ofNamespace, ofFlow]]) {
    expect((await store.taskRunStatistics({ ...window, filters }))[0]?.buckets[0]).toMatchObject({
      counts: { SUCCESS: 1, RUNNING: 1 },
      duration: { count: 1, sum: 700, min: 700 },
    });
    expect((await store.logStatistics({ ...window, filters }))[0]?.buckets[0]?.counts).toEqual({ INFO: 1 });
  }
  expect((await store.getFlow('company.team', 'hello'))?.source).toBe('id: hello');
  expect(await store.getTrigger('company.team', 'hello', 'daily')).toMatchObject({ nextAt: noon });
  expect(await store.getSetting('instance.id')).toBe('abc');
}

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

describe('data of the first release', () => {
  it.each([
    ['SQLite', firstSqlite],
    ['PostgreSQL', firstPostgres],
  ])(
    '[A46] is as it was when its upgrade breaks off in the middle, and can be upgraded then: %s',
    async (_, create) => {
      const config = await create();
      // A table of the same name makes a later step fail, after the earlier steps have run.
      await query(config, 'CREATE TABLE dashboards (obstacle INTEGER)');
      await expect(openStore(config)).rejects.toThrow(/dashboards/);
      expect(await query(config, 'SELECT version FROM schema_version')).toEqual([{ version: 1 }]);
      await expect(query(config, 'SELECT * FROM roll_up')).rejects.toThrow(/roll_up/);
      expect(await query(config, 'SELECT id FROM executions ORDER BY id')).toEqual([
        { id: 'one' },
        { id: 'two' },
      ]);
      await query(config, 'DROP TABLE dashboards');
      const store = await openStore(config);
      await expectEverything(store);
      await store.close();
    },
  );

  it.each([
    ['SQLite', firstSqlite],
    ['PostgreSQL', firstPostgres],
  ])('[A46] is read, counted and written on by this one: %s', async (_, create) => {
    const config = await create();
    const store = await openStore(config);
    await expectEverything(store);
    await store.commit([{ op: 'execution.delete', id: 'one', logs: true, metrics: true }]);
    expect((await store.listExecutions({ filters: [], page: 1, size: 10 })).total).toBe(1);
    const window = {
      from: noon - 1,
      to: noon + 2 * day,
      width: 'month',
      timeZone: 'UTC',
      filters: [],
    } as const;
    expect((await store.executionStatistics(window))[0]?.buckets[0]?.counts).toEqual({ RUNNING: 1 });
    expect((await store.taskRunStatistics(window))[0]?.buckets[0]?.counts).toEqual({ RUNNING: 1 });
    await store.close();
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
