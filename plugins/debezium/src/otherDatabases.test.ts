import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType, storedRows } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { CdcSource, type Row } from './cdcTables.ts';
import { debeziumFamily } from './index.ts';
import { aMongoDouble } from './testing/mongoDouble.ts';

type Values = Readonly<Record<string, unknown>>;

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => debeziumFamily.types.find((each) => each.type === `debezium.${type}`);

test('MongoDB: the snapshot continues where it stopped, then come the changes, each once', async () => {
  const mongo = await aMongoDouble([
    { _id: 1, n: 'a' },
    { _id: 2, n: 'b' },
  ]);
  const context = aContext();
  const capture = async (maxRecords: number) => {
    const properties = {
      connectionString: mongo.connectionString,
      maxRecords,
      maxWait: 'PT0.05S',
      metadata: 'DROP',
    };
    const output = await runType(typeOf('mongodb.Capture') as TaskDefinition, properties, context); // a task
    const uris = output.uris as Record<string, string>; // a file per stream
    return uris['shop.orders'] === undefined ? [] : storedRows(context, uris['shop.orders']);
  };
  expect(await capture(1)).toEqual([{ _id: 1, n: 'a', deleted: false }]);
  mongo.change('update', { _id: 1, n: 'A' });
  expect(await capture(1)).toEqual([{ _id: 2, n: 'b', deleted: false }]);
  mongo.change('delete', { _id: 2 });
  expect(await capture(10)).toEqual([
    { _id: 1, n: 'A', deleted: false },
    { _id: 2, deleted: true },
  ]);
  expect(await capture(10)).toEqual([]);
  expect(mongo.streams).toEqual(['now', '0', '2']);
});

test('MongoDB: the realtime trigger starts an execution per change and names the stream', async () => {
  const mongo = await aMongoDouble([]);
  const trigger = typeOf('mongodb.RealtimeTrigger') as TriggerDefinition; // a trigger
  const { connectionString } = mongo;
  const input = readInput(trigger.type, trigger.input, { connectionString, snapshotMode: 'NO_DATA' });
  const context = aContext();
  const events: object[] = [];
  const listening = trigger.listen?.(context, input, async (output) => void events.push(output));
  await expect.poll(() => mongo.streams.length).toBe(2);
  mongo.change('insert', { _id: 5, n: 'new' });
  await expect.poll(() => events).toMatchObject([{ stream: 'shop.orders', data: { _id: 5, n: 'new' } }]);
  context.kill();
  await listening;
});

test('MongoDB: a poll captures changes again unless its execution was stored', async () => {
  const mongo = await aMongoDouble([]);
  const trigger = typeOf('mongodb.Trigger') as TriggerDefinition; // a trigger
  const input = readInput(trigger.type, trigger.input, {
    connectionString: mongo.connectionString,
    snapshotMode: 'NO_DATA',
    maxWait: 'PT0.05S',
    metadata: 'DROP',
  });
  const context = aContext();
  await trigger.poll?.(context, input);
  expect(context.emitted).toEqual([]);
  mongo.change('insert', { _id: 5, n: 'new' });
  const failing = { ...context, emit: () => Promise.reject(new Error('no database')) };
  await expect(trigger.poll?.(failing, input)).rejects.toThrow('no database');
  await trigger.poll?.(context, input);
  await trigger.poll?.(context, input);
  expect(context.emitted).toMatchObject([{ size: 1 }]);
  const [{ uris } = { uris: {} }] = context.emitted as { uris: Record<string, string> }[]; // as its schema says
  expect(await storedRows(context, uris['shop.orders'])).toMatchObject([{ _id: 5, n: 'new' }]);
});

const lsn = (number: number) => Buffer.from(String(number).padStart(20, '0'), 'hex');
const changed = (at: number, operation: number, row: Row): Row => ({
  __$start_lsn: lsn(at),
  __$seqval: lsn(at),
  __$operation: operation,
  __$time: new Date(0),
  ...row,
});

/** The tables of SQL Server that change data capture has, for the statements of the source. */
function aCdcServer(changes: Readonly<Record<string, readonly Row[]>>, rows: readonly Row[]) {
  let max = 1;
  const query = async (sql: string, values: Readonly<Record<string, string | Buffer>> = {}) => {
    if (sql.includes('is_cdc_enabled')) return [{ enabled: true }];
    if (sql.includes('cdc.change_tables c'))
      return Object.keys(changes).map((name) => ({
        table_schema: 'dbo',
        table_name: name,
        instance: `dbo_${name}`,
        table_keys: 'id',
      }));
    if (sql.includes('fn_cdc_get_max_lsn')) return [{ lsn: lsn(max) }];
    if (sql.includes('fn_cdc_get_min_lsn')) return [{ lsn: lsn(1), start_lsn: lsn(1) }];
    const table = /cdc\.\[dbo_(\w+)_CT\]/.exec(sql)?.[1];
    if (table !== undefined)
      return (changes[table] ?? []).filter(({ __$start_lsn: at }) => {
        const bytes = at as Buffer; // made by `lsn`
        return Buffer.compare(bytes, values.lsn as Buffer) > 0 && Buffer.compare(bytes, lsn(max)) <= 0;
      });
    if (!sql.includes('[orders]')) return [];
    return rows.filter(({ id }) => values.k0 === undefined || Number(id) > Number(values.k0));
  };
  return {
    query,
    commit: (at: number) => {
      max = at;
    },
  };
}

test('SQL Server: changes of all tables come in the order of their commits, after a snapshot', async () => {
  const server = aCdcServer(
    {
      orders: [
        changed(2, 3, { id: 1, n: 'a' }),
        changed(2, 4, { id: 1, n: 'b' }),
        changed(4, 1, { id: 1, n: 'b' }),
      ],
      users: [changed(3, 2, { id: 7, n: 'Ada' })],
    },
    [
      { id: 1, n: 'a' },
      { id: 2, n: 'x' },
    ],
  );
  const input = { database: 'shop', snapshotMode: 'INITIAL' } as const;
  const open = (stored: unknown) => CdcSource.open(server.query, () => {}, input, stored);
  const first = await open(undefined);
  expect(await first.next(0)).toMatchObject({ operation: 'r', table: 'orders', key: { id: 1 } });
  const second = await open(JSON.parse(JSON.stringify(first.position())));
  expect(await second.next(0)).toMatchObject({ operation: 'r', key: { id: 2 } });
  expect(await second.next(0)).toBeUndefined();
  expect(second.isInSnapshot()).toBe(false);
  server.commit(4);
  const third = await open(second.position());
  expect(await third.next(0)).toMatchObject({ operation: 'u', before: { n: 'a' }, after: { n: 'b' } });
  expect(await third.next(0)).toMatchObject({ operation: 'c', table: 'users', after: { n: 'Ada' } });
  const fourth = await open(third.position());
  expect(await fourth.next(0)).toMatchObject({ operation: 'd', table: 'orders', key: { id: 1 } });
  expect(await fourth.next(0)).toBeUndefined();
});

test('SQL Server: an unknown host is named; a database without CDC says what to run', async () => {
  const task = typeOf('sqlserver.Capture') as TaskDefinition; // a task
  const place = { hostname: '127.0.0.1', port: '1', database: 'shop', username: 'sa', password: 'secret' };
  await expect(runType(task, place, aContext())).rejects.toThrow('SQL Server on 127.0.0.1:1');
  const start = {
    poll: (trigger: TriggerDefinition, input: Values) => trigger.poll?.(aContext(), input),
    listen: (trigger: TriggerDefinition, input: Values) =>
      trigger.listen?.(aContext(), input, async () => {}),
  };
  for (const [name, way] of [
    ['Trigger', 'poll'],
    ['RealtimeTrigger', 'listen'],
  ] as const) {
    const trigger = typeOf(`sqlserver.${name}`) as TriggerDefinition; // a trigger
    const started = start[way](trigger, readInput(trigger.type, trigger.input, place));
    await expect(started).rejects.toThrow('SQL Server on 127.0.0.1:1');
  }
  const input = { database: 'shop', snapshotMode: 'INITIAL' } as const;
  await expect(
    CdcSource.open(
      async () => [{ enabled: false }],
      () => {},
      input,
      undefined,
    ),
  ).rejects.toThrow('sys.sp_cdc_enable_db');
});

test('Oracle and Db2 say which driver is missing', async () => {
  const place = { hostname: 'x', port: '1' };
  const run = (type: string, more: object) =>
    runType(typeOf(type) as TaskDefinition, { ...place, ...more }, aContext()); // a task
  await expect(run('oracle.Capture', { sid: 'X' })).rejects.toThrow('no client for LogMiner');
  await expect(run('db2.Capture', { database: 'X' })).rejects.toThrow('has native code');
});
