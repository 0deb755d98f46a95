import { producedForStalledStorage, type TestContext } from '@millrace/plugin-kit/testing';
import { createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeIdleSessions } from '../base/sessionPool.ts';
import { aCountingContext, aDatabaseContext, runnerOf } from '../testing/databaseContext.ts';
import { copySql } from './copySql.ts';
import { postgresqlTypes } from './index.ts';

let database: TestDatabase;
let connection: { url: string; username: string };
const run = runnerOf(postgresqlTypes);

beforeAll(async () => {
  database = await createTestDatabase();
  const { host, pathname } = new URL(database.url);
  connection = { url: `jdbc:postgresql://${host}${pathname}`, username: 'postgres' };
});
afterAll(async () => {
  await closeIdleSessions();
  await database.drop();
});

test('a result of any size streams to storage', async () => {
  const sql = "SELECT i, repeat('x', 10000) AS text FROM generate_series(1, 10000000) AS i";
  const { context, readBytes } = aCountingContext();
  const start = (stalled: TestContext) =>
    run('Query', { ...connection, sql, fetchType: 'STORE', connectionPooling: false }, stalled);
  expect(await producedForStalledStorage(context, start, readBytes)).toBeLessThan(32 * 1_048_576);
});

describe('Batch', () => {
  const batch = async (rows: string, more: object, context = aDatabaseContext()) => {
    const from = await context.files.put('rows.ion', rows);
    return run('Batch', { ...connection, from, ...more }, context);
  };

  test('writes the rows of a file with every digit, nulls and nested values', async () => {
    await database.query(
      'CREATE TABLE typed (id bigint, name text, at timestamptz, amount numeric, tags int[], more jsonb)',
    );
    const rows = [
      '{"id":9007199254740993,"name":"a","at":"2026-01-31T10:00:00Z","amount":12345678901234567890.5,"tags":[1,2],"more":{"x":[1]}}',
      '{"name":"b","id":2}',
      '{id:3,name:"from Ion",amount:1.5}',
    ].join('\n');
    const context = aDatabaseContext();
    expect(await batch(rows, { table: 'typed' }, context)).toEqual({ rowCount: 3, updatedCount: 3 });
    expect(
      await database.query(
        "SELECT id, name, at AT TIME ZONE 'UTC' = '2026-01-31 10:00' AS at, amount, tags, more FROM typed ORDER BY id",
      ),
    ).toEqual([
      { id: '2', name: 'b', at: null, amount: null, tags: null, more: null },
      { id: '3', name: 'from Ion', at: null, amount: '1.5', tags: null, more: null },
      {
        id: '9007199254740993',
        name: 'a',
        at: true,
        amount: '12345678901234567890.5',
        tags: [1, 2],
        more: { x: [1] },
      },
    ]);
    expect(context.metrics.map(({ name, value }) => [name, value])).toEqual([
      ['records', 3],
      ['updated', 3],
      ['query', 1],
    ]);
  });

  test('takes the fields of "columns", or the values of lists and maps in order', async () => {
    await database.query('CREATE TABLE pairs (a int, b text)');
    await batch('{"x":1,"b":"one","a":10}\n{"a":20}', { table: 'pairs', columns: ['a', 'b'] });
    await batch('[30, "list"]\n{"first":40}', { sql: 'INSERT INTO pairs VALUES (?, ?)' });
    expect(await database.query('SELECT * FROM pairs ORDER BY a')).toEqual([
      { a: 10, b: 'one' },
      { a: 20, b: null },
      { a: 30, b: 'list' },
      { a: 40, b: null },
    ]);
  });

  test('commits chunk by chunk and counts what the database changed', async () => {
    await database.query('CREATE TABLE chunks (id int PRIMARY KEY, n int DEFAULT 0)');
    const rows = Array.from({ length: 25 }, (_, id) => JSON.stringify({ id: id % 24 })).join('\n');
    const sql = 'INSERT INTO chunks (id) VALUES (?)';
    await expect(batch(rows, { sql, chunk: 10 })).rejects.toThrow('duplicate key value');
    expect(await database.query('SELECT count(*) FROM chunks')).toEqual([{ count: '20' }]);
    expect(await batch(rows, { sql: `${sql} ON CONFLICT DO NOTHING`, chunk: 10 })).toEqual({
      rowCount: 25,
      updatedCount: 4,
    });
    const upsert = `${sql} ON CONFLICT (id) DO UPDATE SET n = chunks.n + 1`;
    expect(await batch(rows, { sql: upsert })).toEqual({ rowCount: 25, updatedCount: 25 });
    expect(await database.query('SELECT n FROM chunks WHERE id IN (0, 1) ORDER BY id')).toEqual([
      { n: 2 },
      { n: 1 },
    ]);
  });

  test.each([
    ['no statement', {}, 'Either "sql" or "table" must be given.'],
    [
      'too few placeholders',
      { sql: 'INSERT INTO pairs (a) VALUES (?)' },
      'A row has 2 values, and the statement has 1 placeholders.',
    ],
    ['no file', { table: 'pairs', from: 'rows.csv' }, 'must be the URI of a file'],
    [
      'a small buffer',
      { table: 'pairs', inputHandling: 'LOCAL', localBufferMaxBytes: 3 },
      '"localBufferMaxBytes" allows 3',
    ],
  ])('says what is wrong with %s', async (_, more, message) => {
    await expect(batch('{"a":1,"b":"x"}', { columns: undefined, ...more })).rejects.toThrow(message);
  });

  test('a lost connection is tried again from the first row that was not committed', async () => {
    await database.query('CREATE TABLE resumed (id int)');
    // The server cuts the connection in the middle of the second chunk, once.
    await database.query(`CREATE SEQUENCE cuts;
      CREATE FUNCTION cut() RETURNS trigger AS $$ BEGIN
        IF NEW.id = 15 AND nextval('cuts') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER cut BEFORE INSERT ON resumed FOR EACH ROW EXECUTE FUNCTION cut()`);
    const rows = Array.from({ length: 30 }, (_, id) => `{"id":${id}}`).join('\n');
    const more = { table: 'resumed', chunk: 10, retryScope: 'ALL', retryBackoff: 'PT0.01S' };
    expect(await batch(rows, more)).toEqual({ rowCount: 30, updatedCount: 30 });
    expect(await database.query('SELECT count(DISTINCT id) AS ids, count(*) AS rows FROM resumed')).toEqual([
      { ids: '30', rows: '30' },
    ]);
  });
});

describe('CopyIn and CopyOut', () => {
  test('load a CSV file and write it again', async () => {
    const context = aDatabaseContext();
    await database.query('CREATE TABLE people (id int, name text)');
    const from = await context.files.put('people.csv', 'id;name\n1;"a;b"\n2;NONE\n');
    const csv = {
      ...connection,
      table: 'people',
      format: 'CSV',
      header: true,
      delimiter: ';',
      nullString: 'NONE',
    };
    expect(await run('CopyIn', { ...csv, columns: ['id', 'name'], from }, context)).toEqual({ rowCount: 2 });
    expect(await database.query('SELECT * FROM people ORDER BY id')).toEqual([
      { id: 1, name: 'a;b' },
      { id: 2, name: null },
    ]);
    const { uri, rowCount } = await run('CopyOut', csv, context);
    expect(rowCount).toBe(2);
    expect(await context.files.text(String(uri))).toBe('id;name\n1;"a;b"\n2;NONE\n');
    expect(context.metrics).toEqual([
      { name: 'rows', type: 'counter', value: 2 },
      { name: 'rows', type: 'counter', value: 2 },
    ]);
    const text = await run('CopyOut', { ...connection, sql: 'SELECT 1 AS a, NULL AS b;' }, context);
    expect(await context.files.text(String(text.uri))).toBe('1\t\\N\n');
  });

  test('binary files are copied byte by byte', async () => {
    const context = aDatabaseContext();
    await database.query('CREATE TABLE copied (LIKE people)');
    const { uri } = await run('CopyOut', { ...connection, table: 'people', format: 'BINARY' }, context);
    await run('CopyIn', { ...connection, table: 'copied', format: 'BINARY', from: uri }, context);
    expect(await database.query('SELECT count(*) FROM copied')).toEqual([{ count: '2' }]);
  });

  test('say what is wrong', async () => {
    const context = aDatabaseContext();
    const from = await context.files.put('people.csv', 'x\n');
    await expect(
      run('CopyIn', { ...connection, table: 'people', format: 'CSV', from }, context),
    ).rejects.toThrow('invalid input syntax for type integer: "x"');
    await expect(run('CopyOut', connection, context)).rejects.toThrow(
      'Either "table" or "sql" must be given.',
    );
    await expect(run('CopyOut', { ...connection, table: 'absent' }, context)).rejects.toThrow(
      'does not exist',
    );
  });

  test('a killed copy stops on the server', async () => {
    const context = aDatabaseContext();
    const copying = run('CopyOut', { ...connection, sql: 'SELECT pg_sleep(60) AS copy_test' }, context);
    const active = () =>
      database.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'COPY (SELECT pg_sleep%' AND state = 'active'",
      );
    await expect.poll(active).toHaveLength(1);
    context.kill();
    await expect(copying).rejects.toThrow();
    await expect.poll(active).toHaveLength(0);
  });

  test('only given options are written', () => {
    expect(copySql({ table: 't', format: 'TEXT' }, 'TO STDOUT')).toBe('COPY t TO STDOUT');
    const all = {
      table: 't',
      columns: ['a', 'b'],
      format: 'CSV',
      freeze: true,
      quote: "'",
      escape: '\\',
      forceQuote: ['*'],
      forceNotNull: ['a'],
      forceNull: ['b'],
      encoding: 'LATIN1',
    } as const;
    expect(copySql(all, 'FROM STDIN')).toBe(
      "COPY t (a, b) FROM STDIN WITH (FORMAT CSV, FREEZE true, QUOTE '''', ESCAPE '\\', FORCE_QUOTE *, FORCE_NOT_NULL (a), FORCE_NULL (b), ENCODING 'LATIN1')",
    );
  });
});
