import {
  type MariadbServer,
  producedForStalledStorage,
  startMariadb,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeIdleSessions } from '../base/sessionPool.ts';
import {
  aCountingContext,
  aDatabaseContext,
  pollOf,
  runnerOf,
  storedLines,
} from '../testing/databaseContext.ts';
import { mariadbTypes, mysqlTypes } from './index.ts';

let server: MariadbServer;
let connection: { url: string; username: string; password: string };
const run = runnerOf(mysqlTypes);
const runMariadb = runnerOf(mariadbTypes);

beforeAll(async () => {
  server = await startMariadb(['--local-infile=1']);
  connection = { url: `jdbc:mysql://127.0.0.1:${server.port}/shop`, username: 'app', password: 's3cret' };
});
afterAll(async () => {
  await closeIdleSessions();
  await server.stop();
});

const query = (sql: string, more: object = {}, context = aDatabaseContext()) =>
  run('Query', { ...connection, sql, ...more }, context);
const rowsOf = async (sql: string) => (await query(sql, { fetchType: 'FETCH' })).rows;

describe('Query', () => {
  test('reads every kind of column, also with parameters', async () => {
    await run(
      'Queries',
      {
        ...connection,
        sql: `CREATE TABLE kinds (flag TINYINT(1), small SMALLINT, big BIGINT, ubig BIGINT UNSIGNED, amount DECIMAL(30,5), ratio DOUBLE,
          name VARCHAR(20), doc TEXT, data BLOB, day DATE, clock TIME(3), at DATETIME(6), stamp TIMESTAMP, made YEAR, bits BIT(1), choice ENUM('a','b'), more JSON, none INT);
          SET time_zone = '+02:00';
          INSERT INTO kinds VALUES (1, 7, -9223372036854775808, 18446744073709551615, 1234567890123456789012345.12345, 1.5,
          'ünï', 'long', x'6162', '2026-01-31', '10:20:30.500', '2026-01-31 10:20:30.123456', '2026-01-31 12:20:30', 2026, b'1', 'b', '{"a": [1]}', NULL)`,
        transaction: false,
      },
      aDatabaseContext(),
    );
    const expected = {
      flag: true,
      small: 7,
      big: '-9223372036854775808',
      ubig: '18446744073709551615',
      amount: '1234567890123456789012345.12345',
      ratio: 1.5,
      name: 'ünï',
      doc: 'long',
      data: 'YWI=',
      day: '2026-01-31',
      clock: '10:20:30.5',
      at: '2026-01-31T10:20:30.123456',
      stamp: '2026-01-31T10:20:30Z',
      made: 2026,
      bits: true,
      choice: 'b',
      more: { a: [1] },
      none: null,
    };
    expect(await rowsOf('SELECT * FROM kinds')).toEqual([expected]);
    const more = { fetchType: 'FETCH_ONE', parameters: { name: 'ünï' } };
    expect((await query('SELECT * FROM kinds WHERE name = :name', more)).row).toEqual(expected);
    const mariadb = {
      ...connection,
      url: connection.url.replace('mysql', 'mariadb'),
      sql: 'SELECT more FROM kinds',
      fetchType: 'FETCH',
    };
    expect((await runMariadb('Query', mariadb, aDatabaseContext())).rows).toEqual([{ more: { a: [1] } }]);
  });

  test('stores rows as they come', async () => {
    const context = aDatabaseContext();
    const sql = 'SELECT seq, CAST(seq AS DECIMAL(10, 2)) AS price FROM seq_1_to_5000';
    const { uri, size } = await query(sql, { fetchType: 'STORE' }, context);
    const rows = await storedLines(context, uri);
    expect([size, rows.length]).toEqual([5000, 5000]);
    expect([rows[0], rows.at(-1)]).toEqual(['{"seq":1,"price":1.00}', '{"seq":5000,"price":5000.00}']);
  });

  test('a result of any size streams to storage', async () => {
    const sql = "SELECT seq, repeat('x', 10000) AS text FROM seq_1_to_10000000";
    const { context, readBytes } = aCountingContext();
    const start = (stalled: TestContext) =>
      run('Query', { ...connection, sql, fetchType: 'STORE', connectionPooling: false }, stalled);
    expect(await producedForStalledStorage(context, start, readBytes)).toBeLessThan(32 * 1_048_576);
  });

  test('concatenates the result sets of a procedure', async () => {
    const sql = 'CREATE PROCEDURE two() BEGIN SELECT 1 AS a; SELECT 2 AS a; END; CALL two()';
    const { outputs } = await run('Queries', { ...connection, sql, fetchType: 'FETCH' }, aDatabaseContext());
    expect(outputs).toEqual([{ rows: [{ a: 1 }, { a: 2 }], size: 2 }]);
  });

  test('no row is null, and no result set is nothing', async () => {
    expect(await query('SELECT 1 FROM dual WHERE false', { fetchType: 'FETCH_ONE' })).toEqual({
      row: null,
      size: 0,
    });
    expect(await query('CREATE TABLE nothing (id INT)', { fetchType: 'FETCH' })).toEqual({});
  });

  test('loads a local file, and no other one', async () => {
    const context = aDatabaseContext();
    await query('CREATE TABLE loaded (id INT, name VARCHAR(20))');
    const inputFile = await context.files.put('rows.csv', '1,a\n2,b\n');
    const sql = "LOAD DATA LOCAL INFILE '{{ inputFile }}' INTO TABLE loaded FIELDS TERMINATED BY ','";
    await query(sql, { inputFile }, context);
    expect(await rowsOf('SELECT * FROM loaded ORDER BY id')).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    await expect(query("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE loaded")).rejects.toThrow(
      'may only read "inputFile"',
    );
  });

  test.each([
    ['a wrong password', { password: 'wrong' }, 'Access denied for user'],
    ['a wrong statement', { sql: 'SELEC 1' }, 'You have an error in your SQL syntax'],
    ['no statement', { sql: '-- nothing' }, '"sql" holds no statement.'],
    [
      'an unknown host',
      { url: 'jdbc:mysql://no-such-host.invalid/x' },
      'The host "no-such-host.invalid" is unknown.',
    ],
    ['a closed port', { url: 'jdbc:mysql://127.0.0.1:1/x' }, 'was refused'],
    ['a server without TLS', { tls: 'REQUIRED' }, 'secure connection'],
  ])('says what is wrong with %s', async (_, more, message) => {
    const { tls, ...properties } = { tls: undefined, ...more };
    const url = tls ? `${connection.url}?sslMode=${tls}` : connection.url;
    await expect(query('SELECT 1', { url, ...properties })).rejects.toThrow(message);
  });

  test('several statements in one text, when the URL allows them', async () => {
    const url = `${connection.url}?allowMultiQueries=true`;
    expect(await query('SELECT 1 AS a; SELECT 2 AS a', { url, fetchType: 'FETCH' })).toEqual({
      rows: [{ a: 1 }, { a: 2 }],
      size: 2,
    });
  });

  test('a killed task stops the statement on the server', async () => {
    const context = aDatabaseContext();
    const running = query('SELECT SLEEP(60)', {}, context);
    const active = () =>
      rowsOf("SELECT id FROM information_schema.processlist WHERE info = 'SELECT SLEEP(60)'");
    await expect.poll(active).toHaveLength(1);
    const killed = performance.now();
    context.kill();
    await expect(running).rejects.toThrow();
    expect(performance.now() - killed).toBeLessThan(2_000);
    await expect.poll(active).toHaveLength(0);
  });

  test('connections are reused without what the last task left', async () => {
    const id = async (more = {}) =>
      (await query('SELECT CONNECTION_ID() AS id', { fetchType: 'FETCH_ONE', ...more })).row;
    await query('SET @left = 1');
    const first = await id();
    expect(await id()).toEqual(first);
    expect(await rowsOf('SELECT @left AS l')).toEqual([{ l: null }]);
    expect(await id({ timeZoneId: 'UTC' })).not.toEqual(first);
  });
});

test('a failed script is rolled back', async () => {
  await query('CREATE TABLE kept (id INT)');
  const sql = 'INSERT INTO kept VALUES (1); SELECT * FROM missing';
  await expect(run('Queries', { ...connection, sql }, aDatabaseContext())).rejects.toThrow(
    "Table 'shop.missing' doesn't exist",
  );
  expect(await rowsOf('SELECT * FROM kept')).toEqual([]);
});

test('Batch writes the rows of a file', async () => {
  const context = aDatabaseContext();
  await query('CREATE TABLE batched (id BIGINT UNSIGNED, name TEXT, at DATETIME(3), more JSON)');
  const rows = [
    '{"id":18446744073709551615,"name":"a","at":"2026-01-31T10:20:30.500","more":{"x":[1]}}',
    ...Array.from({ length: 2500 }, (_, id) => JSON.stringify({ id, name: null })),
  ];
  const from = await context.files.put('rows.ion', rows.join('\n'));
  expect(await run('Batch', { ...connection, from, table: 'batched' }, context)).toEqual({
    rowCount: 2501,
    updatedCount: 2501,
  });
  expect(await rowsOf('SELECT * FROM batched ORDER BY id DESC LIMIT 1')).toEqual([
    { id: '18446744073709551615', name: 'a', at: '2026-01-31T10:20:30.5', more: { x: [1] } },
  ]);
  expect(context.metrics.find(({ name }) => name === 'query')?.value).toBe(3);
});

test('Batch writes instants on the clock of the server, and texts as they are', async () => {
  const context = aDatabaseContext();
  await query('CREATE TABLE instants (id INT, note TEXT, at TIMESTAMP NULL, local DATETIME)');
  const instant = '2026-01-31T10:20:30Z';
  const rows = [1, 2].map((id) =>
    JSON.stringify({ id, note: `${instant}`, at: '2026-01-31T12:20:30+02:00', local: '2026-01-31T10:20:30' }),
  );
  const from = await context.files.put('rows.ion', rows.join('\n'));
  await run('Batch', { ...connection, from, table: 'instants', chunk: 1 }, context);
  const row = { note: instant, at: instant, local: '2026-01-31T10:20:30' };
  expect(await rowsOf('SELECT note, at, local FROM instants')).toEqual([row, row]);
});

test('Trigger starts an execution for rows and marks them', async () => {
  const context = aDatabaseContext();
  await query('CREATE TABLE orders (id INT, seen BOOL)');
  await query('INSERT INTO orders VALUES (1, false)');
  const trigger = {
    ...connection,
    sql: 'SELECT id FROM orders WHERE NOT seen',
    afterSQL: 'UPDATE orders SET seen = true',
  };
  expect(await pollOf(mysqlTypes, trigger, context)).toEqual({ rows: [{ id: 1 }], size: 1 });
  expect(await pollOf(mysqlTypes, trigger, context)).toBeUndefined();
});
