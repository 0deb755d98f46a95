import { createServer } from 'node:net';
import { aTaskContext, freePort, realNetwork } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { Row } from '../base/session.ts';
import { runnerOf } from '../testing/databaseContext.ts';
import type { HanaClient, HanaColumn, HanaResultSet } from './client.ts';
import { hanaTypes } from './index.ts';
import { HanaSession, readCell } from './session.ts';
import { readSettings } from './settings.ts';

const aConnection = (url: string) => ({ url, connectionPooling: false, connectionPoolSize: 1 });

test.each([
  ['jdbc:sap://db', { hosts: [{ host: 'db', port: 30_015 }], tls: 'off', database: undefined }],
  [
    'jdbc:sap://a:30013;b:30013/?databaseName=SHOP&currentSchema=SALES&user=me&password=pw',
    {
      hosts: [
        { host: 'a', port: 30_013 },
        { host: 'b', port: 30_013 },
      ],
      database: 'SHOP',
      schema: 'SALES',
      user: 'me',
      password: 'pw',
    },
  ],
  ['jdbc:sap://x.hanacloud.example:443/', { tls: 'checked' }],
  ['jdbc:sap://db:30015/?encrypt=true&validateCertificate=false', { tls: 'unchecked' }],
])('reads %s', (url, settings) => {
  expect(readSettings(aConnection(url))).toMatchObject(settings);
});

test('reads values by the type of their column', async () => {
  const lob = {
    createLob: () => ({
      read: (done: (error: null, content: Buffer) => void) => done(null, Buffer.from('hi')),
    }),
  };
  const read = (dataType: number, value: unknown) =>
    readCell(lob, { columnDisplayName: 'X', dataType }, value);
  expect(await read(5, '12345678901234567890.5')).toMatchObject({ text: '12345678901234567890.5' });
  expect(await read(4, 5)).toBe(5);
  expect(await read(61, '2026-01-31T10:20:30.5000000')).toBe('2026-01-31T10:20:30.5');
  expect(await read(63, '2026-01-31')).toBe('2026-01-31');
  expect(await read(13, Buffer.from('ab'))).toBe('YWI=');
  expect(await read(26, {})).toBe('hi');
  expect(await read(27, {})).toBe('aGk=');
  expect(await read(11, null)).toBeNull();
});

/** The driver is played, because there is no HANA server to test with. */
test('asks the driver for rows in parts, and drops statements', async () => {
  const calls: unknown[][] = [];
  const metadata: HanaColumn[] = [
    { columnDisplayName: 'ID', dataType: 3 },
    { columnDisplayName: 'NAME', dataType: 11 },
  ];
  const rows: HanaResultSet = {
    metadata,
    setFetchSize: () => {},
    createArrayStream: async function* () {
      yield [[1, 'a']];
      yield [[2, null]];
    },
    createLob: () => ({ read: () => {} }),
    close: (done) => {
      calls.push(['close']);
      done();
    },
  };
  const client: HanaClient = {
    connect: (done) => done(),
    execute: (sql, _, done) => {
      calls.push([sql]);
      done(null);
    },
    prepare: (sql, done) =>
      done(null, {
        resultSetMetadata: metadata,
        execute: (values, _, reply) => {
          calls.push([sql, values]);
          reply(null, rows);
        },
        exec: (values, _, reply) => {
          calls.push([sql, values]);
          reply(null, [1, 1]);
        },
        drop: (dropped) => {
          calls.push(['drop']);
          dropped();
        },
      }),
    setAutoCommit: (isOn) => void calls.push(['autoCommit', isOn]),
    commit: (done) => done(),
    rollback: (done) => done(),
    on: () => {},
  };
  const session = new HanaSession({ client, destroy: () => {} });
  const read: Row[] = [];
  const found = await session.run({ sql: 'SELECT * FROM t WHERE id > ?', values: [0], fetchSize: 10 });
  for await (const part of found ?? []) read.push(...part);
  expect(read).toEqual([
    { ID: 1, NAME: 'a' },
    { ID: 2, NAME: null },
  ]);
  expect(await session.run({ sql: 'CREATE TABLE t (id INT)', values: [], fetchSize: 10 })).toBeUndefined();
  await session.begin();
  expect(
    await session.runBatch({ sql: 'INSERT INTO t VALUES (?)', rows: [[{ a: 1 }], [9007199254740993n]] }),
  ).toBe(2);
  await session.commit();
  expect(calls).toEqual([
    ['SELECT * FROM t WHERE id > ?', [0]],
    ['close'],
    ['drop'],
    ['CREATE TABLE t (id INT)'],
    ['autoCommit', false],
    ['INSERT INTO t VALUES (?)', [['{"a":1}'], ['9007199254740993']]],
    ['drop'],
    ['autoCommit', true],
  ]);
});

test('the real driver opens its sockets under the outbound policy and says what went wrong', async () => {
  const run = runnerOf(hanaTypes);
  const query = (host: string, context = aTaskContext(realNetwork())) =>
    run(
      'Query',
      { url: `jdbc:sap://${host}/`, username: 'me', password: 'pw', sql: 'SELECT 1 FROM dummy' },
      context,
    );
  await expect(query(`127.0.0.1:${await freePort()}`)).rejects.toThrow(/SAP HANA: .*ECONNREFUSED/);
  await expect(query('127.0.0.1:30015', aTaskContext(realNetwork({ denyPrivate: true })))).rejects.toThrow(
    'not allowed by the outbound policy',
  );
  const greetings: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      greetings.push(chunk.toString('hex'));
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  await expect(query(`127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)).rejects.toThrow(
    'SAP HANA: ',
  );
  // The first bytes of the SQL command network protocol.
  expect(greetings[0]).toMatch(/^ffffffff0414/);
});
