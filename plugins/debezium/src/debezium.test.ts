import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  realNetwork,
  runType,
  startMariadb,
  storedRows,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { startPostgres } from '@millrace/store/suite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { debeziumFamily } from './index.ts';

type Execute = (sql: string) => Promise<unknown>;
interface Database {
  readonly place: Readonly<Record<string, unknown>>;
  readonly execute: Execute;
  /** The database of the tables, as streams name it. */
  readonly name: string;
  stop(): Promise<void>;
}

async function startPostgresql(): Promise<Database> {
  const server = await startPostgres();
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      for (const statement of sql.split(';')) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await query('ALTER SYSTEM SET wal_level = logical');
  await server.restart();
  const { hostname, port } = new URL(server.url);
  return {
    name: 'postgres',
    place: {
      hostname,
      port,
      username: 'postgres',
      password: 'x',
      database: 'postgres',
      includedTables: 'public\\..*',
    },
    execute: query,
    stop: () => server.stop(),
  };
}

async function startMysql(): Promise<Database> {
  const server = await startMariadb([
    '--server-id=1',
    '--log-bin=binlog',
    '--binlog-format=ROW',
    '--binlog-row-image=FULL',
  ]);
  return {
    name: 'shop',
    place: {
      hostname: server.host,
      port: server.port,
      username: 'app',
      password: 's3cret',
      includedDatabases: 'shop',
    },
    execute: (sql) => server.execute(`USE shop; ${sql}`),
    stop: () => server.stop(),
  };
}

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => debeziumFamily.types.find((each) => each.type === `debezium.${type}`);

describe.each([
  {
    kind: 'postgres',
    start: startPostgresql,
    own: (name: string) => ({ slotName: name, publicationName: 'all_tables' }),
  },
  { kind: 'mysql', start: startMysql, own: () => ({}) },
])('$kind', ({ kind, start, own }) => {
  let database: Database;
  beforeAll(async () => {
    database = await start();
    await database.execute(
      "CREATE TABLE orders (id int PRIMARY KEY, name varchar(20), total numeric(8,2)); INSERT INTO orders VALUES (1, 'one', 1.50), (2, 'two', 2)",
    );
  }, 240_000);
  afterAll(() => database?.stop(), 60_000);

  const stream = () => `${database.name}.orders`;
  const capture = async (context: TestContext, properties: object) => {
    const output = await runType(
      typeOf(`${kind}.Capture`) as TaskDefinition, // the name of a task
      { ...database.place, ...own('captured'), maxWait: 'PT0.5S', metadata: 'DROP', ...properties },
      context,
    );
    const uris = output.uris as Record<string, string>; // as its schema says
    return {
      size: output.size,
      rows: uris[stream()] === undefined ? [] : await storedRows(context, uris[stream()]),
    };
  };

  /** Ends as soon as these changes have come, however long that takes. */
  const upTo = (maxRecords: number) => ({ maxRecords, maxWait: 'PT1M' });

  test('the first capture reads all rows, later ones what has changed, across a cut transaction', async () => {
    const context = aContext();
    expect(await capture(context, {})).toMatchObject({
      size: 2,
      rows: [
        { id: 1, name: 'one', deleted: false },
        { id: 2, name: 'two', deleted: false },
      ],
    });
    expect(await capture(context, {})).toMatchObject({ size: 0 });
    await database.execute(
      "BEGIN; INSERT INTO orders VALUES (3, 'three', 3); UPDATE orders SET name = 'ONE' WHERE id = 1; DELETE FROM orders WHERE id = 2; COMMIT",
    );
    expect(await capture(context, upTo(2))).toMatchObject({
      size: 2,
      rows: [
        { id: 3, name: 'three', deleted: false },
        { id: 1, name: 'ONE', deleted: false },
      ],
    });
    expect(await capture(context, upTo(1))).toMatchObject({ size: 1, rows: [{ id: 2, deleted: true }] });
    expect(await capture(context, {})).toMatchObject({ size: 0 });
    expect(context.metrics).toContainEqual({ name: 'records', type: 'counter', value: 2 });
  });

  test('a limit does not cut the first snapshot, of which no later run would read the rest', async () => {
    const context = aContext();
    const others = { ...own('limited'), stateName: 'limited' };
    const first = await capture(context, { ...others, maxRecords: 1, maxDuration: 'PT0.001S' });
    expect([first.size, (await capture(context, others)).size]).toEqual([2, 0]);
    const late = capture(aContext(), { ...own('late'), stateName: 'late', maxSnapshotDuration: 'PT0S' });
    await expect(late).rejects.toThrow('"maxSnapshotDuration"');
  });

  test('a poll captures changes again unless its execution was stored', async () => {
    const definition = typeOf(`${kind}.Trigger`) as TriggerDefinition; // the name of a trigger
    const properties = {
      ...database.place,
      ...own('polled'),
      snapshotMode: 'NEVER',
      stateName: 'polled',
      format: 'RAW',
      maxWait: 'PT0.5S',
    };
    const input = readInput(definition.type, definition.input, properties);
    const untilOne = readInput(definition.type, definition.input, { ...properties, ...upTo(1) });
    const context = aContext();
    await definition.poll?.(context, input);
    expect(context.emitted).toEqual([]);
    await database.execute("INSERT INTO orders VALUES (10, 'ten', 10)");
    const failing = { ...context, emit: () => Promise.reject(new Error('no database')) };
    await expect(definition.poll?.(failing, untilOne)).rejects.toThrow('no database');
    await definition.poll?.(context, untilOne);
    await definition.poll?.(context, input);
    expect(context.emitted).toMatchObject([{ size: 1 }]);
    const [{ uris } = { uris: {} }] = context.emitted as { uris: Record<string, string> }[]; // as its schema says
    expect(await storedRows(context, uris[stream()])).toMatchObject([
      {
        key: { id: 10 },
        value: { op: 'c', before: null, after: { id: 10, name: 'ten' }, source: { table: 'orders' } },
      },
    ]);
  });

  test('the realtime trigger starts one execution per change and stops on request', async () => {
    const definition = typeOf(`${kind}.RealtimeTrigger`) as TriggerDefinition; // the name of a trigger
    const input = readInput(definition.type, definition.input, {
      ...database.place,
      ...own('live'),
      snapshotMode: 'NEVER',
      stateName: 'live',
      metadata: 'DROP',
    });
    const context = aContext();
    const events: object[] = [];
    const listening = definition.listen?.(context, input, async (output, options) => {
      events.push({ ...output, ...options });
    });
    await expect.poll(() => context.kv.get('a_flow_live')).toBeDefined();
    await database.execute("INSERT INTO orders VALUES (20, 'twenty', 20)");
    await expect
      .poll(() => events)
      .toMatchObject([{ stream: stream(), data: { id: 20, deleted: false }, key: expect.any(String) }]);
    const asked = Date.now();
    context.kill();
    await listening;
    expect(Date.now() - asked).toBeLessThan(2_000);
  });

  test('errors name the server and hide the password', async () => {
    await expect(capture(aContext(), { port: '1' })).rejects.toThrow(/:1\b/);
    const fenced = aTaskContext(realNetwork({ denyPrivate: true }));
    await expect(capture(fenced, {})).rejects.toMatchObject({ retry: false });
  });
});
