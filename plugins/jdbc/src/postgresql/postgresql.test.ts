import { createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeIdleSessions } from '../base/sessionPool.ts';
import { aDatabaseContext, pollOf, runnerOf, storedLines } from '../testing/databaseContext.ts';
import { postgresqlTypes } from './index.ts';

let database: TestDatabase;
let connection: { url: string; username: string; timeZoneId: string };
const run = runnerOf(postgresqlTypes);

beforeAll(async () => {
  database = await createTestDatabase();
  const { host, pathname } = new URL(database.url);
  connection = {
    url: `jdbc:postgresql://${host}${pathname}`,
    username: 'postgres',
    timeZoneId: 'Europe/Paris',
  };
  await database.query('CREATE EXTENSION IF NOT EXISTS hstore').catch(() => {});
});
afterAll(async () => {
  await closeIdleSessions();
  await database.drop();
});

const query = (sql: string, more: Readonly<Record<string, unknown>> = {}, context = aDatabaseContext()) =>
  run('Query', { ...connection, sql, ...more }, context);

describe('Query', () => {
  test.each([
    ['true', true],
    ['1::smallint', 1],
    ['9223372036854775807::bigint', '9223372036854775807'],
    ['42::bigint', 42],
    ['1.5::real', 1.5],
    ["'NaN'::float8", 'NaN'],
    ['12345678901234567890.123456789::numeric', '12345678901234567890.123456789'],
    ['12.50::numeric(10,2)', 12.5],
    ["'$1,234.50'::money", 1234.5],
    ["'a'::text", 'a'],
    ["'a'::char(3)", 'a  '],
    ["'\\xdeadbeef'::bytea", '3q2+7w=='],
    ["'2026-01-31'::date", '2026-01-31'],
    ["'10:20:30.500'::time", '10:20:30.5'],
    ["'2026-01-31 10:20:30.123456'::timestamp", '2026-01-31T10:20:30.123456'],
    ["'2026-07-31 10:20:30+00'::timestamptz", '2026-07-31T12:20:30+02:00'],
    ["'1 year 2 mons 3 days 04:05:06.7'::interval", 'P1Y2M3DT4H5M6.7S'],
    ["'-1 days -02:00:00'::interval", 'P0Y0M-1DT-2H0M0S'],
    [`'{"a": [1, 9007199254740993]}'::jsonb`, { a: [1, '9007199254740993'] }],
    ["'[1, 2]'::json", [1, 2]],
    ["'5b3a1b54-0b9c-4a44-9a39-6b0d6a1c2f10'::uuid", '5b3a1b54-0b9c-4a44-9a39-6b0d6a1c2f10'],
    ['ARRAY[1, NULL, 3]', [1, null, 3]],
    [`ARRAY['a,b', 'c"d', NULL]::text[]`, ['a,b', 'c"d', null]],
    [
      'ARRAY[[1, 2], [3, 4]]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["ARRAY['2026-01-31'::date]", ['2026-01-31']],
    ["'a b'::tsvector", "'a' 'b'"],
    ["'10.0.0.1'::inet", '10.0.0.1'],
    ['NULL::int', null],
  ])('reads %s', async (expression, expected) => {
    const outputs = await query(`SELECT ${expression} AS cell`, { fetchType: 'FETCH_ONE' });
    expect(outputs).toEqual({ row: { cell: expected }, size: 1 });
  });

  test('keeps every digit in a file of rows', async () => {
    const context = aDatabaseContext();
    const { uri, size } = await query(
      'SELECT i, 9007199254740993 + i AS big, (i * 10)::numeric(10, 2) AS price FROM generate_series(0, 2) AS i',
      { fetchType: 'STORE', fetchSize: 2 },
      context,
    );
    expect(size).toBe(3);
    expect(await storedLines(context, uri)).toEqual([
      '{"i":0,"big":9007199254740993,"price":0.00}',
      '{"i":1,"big":9007199254740994,"price":10.00}',
      '{"i":2,"big":9007199254740995,"price":20.00}',
    ]);
    expect(context.metrics).toEqual([
      { name: 'fetch.size', type: 'counter', value: 3, tags: { fetch: 'false', store: 'true' } },
    ]);
  });

  test('binds parameters, also into arrays and JSON', async () => {
    const sql =
      'SELECT :name AS name, :n::int + 1 AS n, :none::text AS none WHERE :name = ANY(ARRAY[:name, :other])';
    const parameters = { name: "O'Hara; DROP", n: 41, other: 'x', none: null };
    expect(await query(sql, { fetchType: 'FETCH', parameters })).toEqual({
      rows: [{ name: "O'Hara; DROP", n: 42, none: null }],
      size: 1,
    });
  });

  test('the deprecated switches win', async () => {
    expect(await query('SELECT 1 AS a', { fetchOne: true, fetchType: 'FETCH' })).toEqual({
      row: { a: 1 },
      size: 1,
    });
    expect(await query('SELECT 1 AS a', { fetch: true })).toEqual({ rows: [{ a: 1 }], size: 1 });
  });

  test('no row is null, and no result set is nothing', async () => {
    expect(await query('SELECT 1 WHERE false', { fetchType: 'FETCH_ONE' })).toEqual({ row: null, size: 0 });
    expect(await query('CREATE TABLE nothing (id int)', { fetchType: 'FETCH' })).toEqual({});
    expect(await query('SELECT 1')).toEqual({});
  });

  test('several statements run in order, and the rows of the last one that has any are kept', async () => {
    const sql =
      'CREATE TABLE several AS SELECT 7 AS n; SELECT 0 AS n; SELECT n FROM several; DROP TABLE several;';
    expect(await query(sql, { fetchType: 'FETCH' })).toEqual({ rows: [{ n: 7 }], size: 1 });
  });

  test('afterSQL shares the transaction', async () => {
    await database.query('CREATE TABLE queue (id int, seen bool)');
    await database.query('INSERT INTO queue VALUES (1, false)');
    const sql = 'SELECT id FROM queue WHERE NOT seen';
    await expect(
      query(sql, { afterSQL: 'UPDATE queue SET seen = 1 / 0 = 1', fetchType: 'FETCH' }),
    ).rejects.toThrow('division by zero');
    const outputs = await query(sql, { afterSQL: 'UPDATE queue SET seen = true', fetchType: 'FETCH' });
    expect(outputs).toEqual({ rows: [{ id: 1 }], size: 1 });
    expect(await database.query('SELECT seen FROM queue')).toEqual([{ seen: true }]);
  });

  test.each([
    ['no statement', { sql: '-- nothing' }, '"sql" holds no statement.'],
    [
      'a wrong statement',
      { sql: 'SELEC 1' },
      'PostgreSQL: syntax error at or near "SELEC" (42601) at position 1',
    ],
    ['an unknown user', { sql: 'SELECT 1', username: 'nobody_here' }, 'role "nobody_here" does not exist'],
    ['another scheme', { sql: 'SELECT 1', url: 'jdbc:mysql://x/y' }, 'must start with "jdbc:postgresql:"'],
    [
      'an unknown host',
      { sql: 'SELECT 1', url: 'jdbc:postgresql://no-such-host.invalid/y' },
      'The host "no-such-host.invalid" is unknown.',
    ],
    [
      'a closed port',
      { sql: 'SELECT 1', url: 'jdbc:postgresql://127.0.0.1:1/y' },
      'The connection to 127.0.0.1:1 was refused.',
    ],
    ['a server without SSL', { sql: 'SELECT 1', ssl: true }, 'does not support SSL'],
    ['an unknown zone', { sql: 'SELECT 1', timeZoneId: 'Mars/North' }, 'got "Mars/North"'],
  ])('says what is wrong with %s', async (_, more, message) => {
    await expect(run('Query', { ...connection, ...more }, aDatabaseContext())).rejects.toThrow(message);
  });

  test('a killed task stops the statement on the server', async () => {
    const context = aDatabaseContext();
    const started = performance.now();
    const running = query('SELECT pg_sleep(60) AS jdbc_cancel_test', {}, context);
    const active = () =>
      database.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%' AND state = 'active'",
      );
    await expect.poll(active).toHaveLength(1);
    const killed = performance.now();
    context.kill();
    await expect(running).rejects.toThrow();
    expect(performance.now() - killed).toBeLessThan(2_000);
    await expect.poll(active).toHaveLength(0);
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  test('connections are reused by tasks with the same credentials only, without what the last one left', async () => {
    const pid = async (more = {}) =>
      (await query('SELECT pg_backend_pid() AS pid', { fetchType: 'FETCH_ONE', ...more })).row;
    await run(
      'Queries',
      { ...connection, transaction: false, sql: 'CREATE TEMP TABLE left_over (id int); SET search_path = x' },
      aDatabaseContext(),
    );
    const first = await pid();
    expect(await pid()).toEqual(first);
    expect(await pid({ password: 'other' })).not.toEqual(first);
    expect(await pid({ connectionPooling: false })).not.toEqual(first);
    await expect(query('SELECT * FROM left_over')).rejects.toThrow('does not exist');
  });

  test('a pool holds no more connections than it may', async () => {
    const more = { connectionPoolSize: 2, timeZoneId: 'UTC', fetchType: 'FETCH_ONE' };
    const sql = 'SELECT pg_backend_pid() AS pid, pg_sleep(0.05)';
    const rows = await Promise.all(Array.from({ length: 6 }, () => query(sql, more)));
    const pids = new Set(rows.map(({ row }) => JSON.stringify(row)));
    expect(pids.size).toBeLessThanOrEqual(2);
  });
});

describe('Queries', () => {
  const queries = (sql: string, more = {}) =>
    run('Queries', { ...connection, sql, ...more }, aDatabaseContext());

  test('keeps one output for each statement that returns rows', async () => {
    const sql = `CREATE TABLE fruits (id int, name text);
      INSERT INTO fruits VALUES (1, 'apple; pear'), (2, 'fig');
      SELECT count(*) AS n FROM fruits;
      UPDATE fruits SET name = 'plum' WHERE id = 2 RETURNING name;`;
    expect(await queries(sql, { fetchType: 'FETCH' })).toEqual({
      outputs: [
        { rows: [{ n: 2 }], size: 1 },
        { rows: [{ name: 'plum' }], size: 1 },
      ],
    });
    expect(await queries('SELECT 1; SELECT 2')).toEqual({ outputs: [{}, {}] });
  });

  test('a failure rolls all of a transaction back, and nothing without one', async () => {
    await database.query('CREATE TABLE kept (id int)');
    const sql = 'INSERT INTO kept VALUES (1); INSERT INTO missing VALUES (1);';
    await expect(queries(sql)).rejects.toThrow('relation "missing" does not exist');
    expect(await database.query('SELECT * FROM kept')).toEqual([]);
    await expect(queries(sql, { transaction: false })).rejects.toThrow('relation "missing" does not exist');
    expect(await database.query('SELECT * FROM kept')).toEqual([{ id: 1 }]);
  });
});

describe('Trigger', () => {
  test('rows start an execution, and none start nothing', async () => {
    const context = aDatabaseContext();
    const sql = 'SELECT i FROM generate_series(1, :n) AS i';
    const poll = (more: object) => pollOf(postgresqlTypes, { ...connection, sql, ...more }, context);
    expect(await poll({ parameters: { n: 1 } })).toEqual({ rows: [{ i: 1 }], size: 1 });
    expect(await poll({ parameters: { n: 0 } })).toBeUndefined();
    expect(await poll({ parameters: { n: 0 }, fetchType: 'STORE' })).toBeUndefined();
    expect(context.files.byPath.size).toBe(0);
    await expect(poll({ fetchType: 'NONE' })).rejects.toThrow('got NONE');
  });
});
