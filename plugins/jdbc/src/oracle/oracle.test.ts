import { createOutboundClient } from '@millrace/plugin-kit';
import { aTaskContext, freePort } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import type { Row } from '../base/session.ts';
import { runnerOf } from '../testing/databaseContext.ts';
import { readOracleUrl } from './connectString.ts';
import { oracleTypes } from './index.ts';
import { type OracleConnection, type OracleDriver, OracleSession, readerOf } from './session.ts';

const outbound = createOutboundClient({ deny: ['10.0.0.0/8'] });
const aContext = () => aTaskContext({ mayReach: (url) => outbound.check(url) });

test.each([
  ['jdbc:oracle:thin:@//db:1522/shop', 'db:1522/shop', 'db', 1522],
  [
    'jdbc:oracle:thin:@db:1521:XE',
    '(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521))(CONNECT_DATA=(SID=XE)))',
    'db',
    1521,
  ],
  ['jdbc:oracle:thin:me/pw@db/shop', 'db/shop', 'db', 1521],
  ['jdbc:oracle:thin:@tcps://db:2484/shop', 'tcps://db:2484/shop', 'db', 2484],
  [
    'jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=a)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=s)))',
    '(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=a)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=s)))',
    'a',
    1,
  ],
])('reads %s', (url, connectString, host, port) => {
  expect(readOracleUrl(url)).toMatchObject({ connectString, hosts: [{ host, port }] });
});

test('reads values by the type of their column', () => {
  const read = (dbTypeName: string, value: unknown) => readerOf({ name: 'X', dbTypeName }, 'UTC')(value);
  expect(read('NUMBER', '12345678901234567890')).toMatchObject({ text: '12345678901234567890' });
  expect(read('DATE', new Date(2026, 0, 31, 10, 20, 30))).toBe('2026-01-31T10:20:30');
  expect(read('TIMESTAMP', new Date(2026, 0, 31, 10, 20, 30, 500))).toBe('2026-01-31T10:20:30.5');
  expect(read('TIMESTAMP WITH TIME ZONE', new Date(0))).toBe('1970-01-01T00:00:00Z');
  expect(read('BLOB', Buffer.from('ab'))).toBe('YWI=');
});

/** The driver is played, because there is no Oracle server to test with. */
test('asks the driver for rows in parts, and closes the result', async () => {
  const calls: unknown[][] = [];
  const parts = [[['1', 'a']], []];
  const connection: OracleConnection = {
    execute: async (sql, binds) => {
      calls.push([sql, binds]);
      const metaData = [
        { name: 'ID', dbTypeName: 'NUMBER' },
        { name: 'NAME', dbTypeName: 'VARCHAR2' },
      ];
      return {
        metaData,
        resultSet: {
          getRows: async () => parts.shift() ?? [],
          close: async () => void calls.push(['closed']),
        },
      };
    },
    executeMany: async (sql, rows) => {
      calls.push([sql, rows]);
      return { rowsAffected: rows.length };
    },
    commit: async () => void calls.push(['commit']),
    rollback: async () => {},
    break: async () => {},
    close: async () => {},
  };
  const driver: OracleDriver = {
    STRING: 1,
    BUFFER: 2,
    OUT_FORMAT_ARRAY: 3,
    getConnection: async () => connection,
  };
  const session = new OracleSession(driver, connection, 'UTC');
  const rows: Row[] = [];
  for await (const batch of (await session.run({
    sql: 'SELECT * FROM t WHERE id = :1',
    values: [1],
    fetchSize: 10,
  })) ?? [])
    rows.push(...batch);
  expect(rows).toEqual([{ ID: 1, NAME: 'a' }]);
  expect(await session.runBatch({ sql: 'INSERT INTO t VALUES (:1)', rows: [[{ a: 1 }], [true]] })).toBe(2);
  expect(calls).toEqual([
    ['SELECT * FROM t WHERE id = :1', [1]],
    ['closed'],
    ['INSERT INTO t VALUES (:1)', [['{"a":1}'], [1]]],
  ]);
});

test('the real driver says that nothing listens, and the outbound policy is asked first', async () => {
  const run = runnerOf(oracleTypes);
  const query = (host: string) =>
    run(
      'Query',
      { url: `jdbc:oracle:thin:@//${host}/shop`, username: 'me', password: 'pw', sql: 'SELECT 1 FROM dual' },
      aContext(),
    );
  await expect(query(`127.0.0.1:${await freePort()}`)).rejects.toThrow(/Oracle: NJS-/);
  await expect(query('10.1.2.3:1521')).rejects.toThrow('not allowed by the outbound policy');
});
