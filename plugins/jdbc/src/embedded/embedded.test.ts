import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from '@millrace/plugin-kit/testing';
import { ProcessHelper } from '@millrace/plugin-scripts';
import { afterAll, describe, expect, test } from 'vitest';
import { duckdbTypes } from '../duckdb/index.ts';
import { sqliteTypes } from '../sqlite/index.ts';
import { aProcessContext, pollOf, runnerOf, storedLines } from '../testing/databaseContext.ts';

const helper = new ProcessHelper();
afterAll(() => helper.close());
/** The process removes its request when it has read it. */
const untilStarted = (context: TestContext) =>
  expect
    .poll(async () => {
      const folder = await context.workingDirectory();
      const [own] = (await readdir(folder)).filter((name) => name.startsWith('.millrace-sql-'));
      return own !== undefined && (await readdir(join(folder, own))).join();
    })
    .toBe('spill');

const aContext = () => aProcessContext(helper);

describe('DuckDB', () => {
  const run = runnerOf(duckdbTypes);
  const query = (sql: string, more: object = {}, context = aContext()) =>
    run('Query', { sql, ...more }, context);

  test('reads every kind of column', async () => {
    const sql = `SELECT true AS bool, 1::TINYINT AS tiny, 9223372036854775807 AS big, 170141183460469231731687303715884105727::HUGEINT AS huge,
      12345678901234567.891::DECIMAL(20,3) AS dec, 1.5::DOUBLE AS dbl, 'NaN'::DOUBLE AS nan, 'x' AS txt, 'ab'::BLOB AS bin,
      DATE '2026-01-31' AS day, TIME '10:20:30.5' AS clock, TIMESTAMP '2026-07-31 10:20:30' AS ts, TIMESTAMPTZ '2026-07-31 10:20:30+02' AS tz,
      INTERVAL 14 MONTH AS span, [1, NULL, 3] AS list, {'a': 1, 'b': ['x']} AS struct, MAP {'k': 2} AS map, '{"a": 1}'::JSON AS json,
      uuid '5b3a1b54-0b9c-4a44-9a39-6b0d6a1c2f10' AS id, NULL AS none`;
    const { row } = await query(sql, { fetchType: 'FETCH_ONE', timeZoneId: 'Europe/Paris' });
    expect(row).toEqual({
      bool: true,
      tiny: 1,
      big: '9223372036854775807',
      huge: '170141183460469231731687303715884105727',
      dec: '12345678901234567.891',
      dbl: 1.5,
      nan: 'NaN',
      txt: 'x',
      bin: 'YWI=',
      day: '2026-01-31',
      clock: '10:20:30.5',
      ts: '2026-07-31T10:20:30+02:00',
      tz: '2026-07-31T08:20:30Z',
      span: 'P1Y2M0DT0H0M0S',
      list: [1, null, 3],
      struct: { a: 1, b: ['x'] },
      map: { k: 2 },
      json: { a: 1 },
      id: '5b3a1b54-0b9c-4a44-9a39-6b0d6a1c2f10',
      none: null,
    });
  });

  test('reads input files, and names them as they were given', async () => {
    const context = aContext();
    const stored = await context.files.put('b.csv', 'id\n2\n');
    const outputs = await query(
      "SELECT id, filename FROM read_csv('*.csv', filename = true) ORDER BY id",
      { inputFiles: { 'a.csv': 'id\n1\n', 'b.csv': stored }, fetchType: 'FETCH' },
      context,
    );
    expect(outputs.rows).toEqual([
      { id: 1, filename: 'a.csv' },
      { id: 2, filename: 'b.csv' },
    ]);
  });

  test('stores rows, output files and the database, which a later task continues', async () => {
    const context = aContext();
    const first = await run(
      'Queries',
      {
        sql: `CREATE TABLE t AS SELECT range AS id FROM range(5);
          COPY t TO '{{ outputFiles.csv }}' (HEADER, DELIMITER ';');
          SELECT count(*) AS n, 20.00::DECIMAL(10, 2) AS price FROM t; FROM t ORDER BY id LIMIT 2`,
        outputFiles: ['csv'],
        outputDbFile: true,
        fetchType: 'STORE',
      },
      context,
    );
    const [counted, listed] = first.outputs as { uri: string; size: number }[];
    expect(await storedLines(context, counted?.uri)).toEqual(['{"n":5,"price":20.00}']);
    expect([listed?.size, await storedLines(context, listed?.uri)]).toEqual([2, ['{"id":0}', '{"id":1}']]);
    const { csv } = first.outputFiles as Record<string, string>;
    expect(await context.files.text(String(csv))).toBe('id\n0\n1\n2\n3\n4\n');
    const more = { databaseUri: first.databaseUri, fetchType: 'FETCH_ONE', parameters: { least: 3 } };
    expect(await query('SELECT count(*) AS n FROM t WHERE id >= :least', more, context)).toEqual({
      row: { n: 2 },
      size: 1,
    });
  });

  test('a Query runs several statements and keeps the rows of the last one that has any', async () => {
    const sql = `INSTALL json; LOAD json;
      CREATE TABLE orders AS FROM read_json('orders.json');
      SELECT sum(amount)::INT AS total FROM orders;
      DROP TABLE orders;`;
    const inputFiles = { 'orders.json': '[{"amount": 1}, {"amount": 2}]' };
    expect(await query(sql, { inputFiles, fetchType: 'FETCH' })).toEqual({ rows: [{ total: 3 }], size: 1 });
  });

  test('a failed script changes nothing when it is a transaction', async () => {
    const context = aContext();
    const { databaseUri } = await run(
      'Queries',
      { sql: 'CREATE TABLE t (id INT)', outputDbFile: true },
      context,
    );
    const sql = 'INSERT INTO t VALUES (1); SELECT * FROM missing';
    await expect(run('Queries', { sql, databaseUri }, context)).rejects.toThrow(
      'Table with name missing does not exist',
    );
  });

  test.each([
    ['a wrong statement', 'SELEC 1', {}, 'DuckDB: Parser Error: syntax error at or near "SELEC"'],
    ['a missing file', "FROM 'absent.csv'", {}, 'No files found that match the pattern "absent.csv"'],
    ['no statement', '-- nothing', {}, '"sql" holds no statement.'],
    ['another scheme', 'SELECT 1', { url: 'jdbc:sqlite:' }, 'must start with "jdbc:duckdb:"'],
    ['a path outside', 'SELECT 1', { url: 'jdbc:duckdb:../x.db' }, 'must be relative and stay inside'],
  ])('says what is wrong with %s', async (_, sql, more, message) => {
    await expect(query(sql, more)).rejects.toThrow(message);
  });

  test('an extension that is not available is a warning', async () => {
    const context = aContext();
    await query('SELECT 1', { communityExtensions: ['no-such'] }, context);
    expect(context.logs).toEqual([
      { level: 'WARN', message: 'The extension "no-such" is not available: it is no name of an extension' },
    ]);
  });

  test('a killed task stops within two seconds', async () => {
    const context = aContext();
    const running = query('SELECT count(*) FROM range(100000000) a, range(100000000) b', {}, context);
    await untilStarted(context);
    const killed = performance.now();
    context.kill();
    await expect(running).rejects.toThrow();
    expect(performance.now() - killed).toBeLessThan(2_000);
  });

  test('a trigger starts an execution for rows', async () => {
    const context = aContext();
    expect(await pollOf(duckdbTypes, { sql: 'SELECT 1 AS a' }, context)).toEqual({
      rows: [{ a: 1 }],
      size: 1,
    });
    expect(await pollOf(duckdbTypes, { sql: 'SELECT 1 WHERE false' }, context)).toBeUndefined();
  });
});

describe('SQLite', () => {
  const run = runnerOf(sqliteTypes);

  test('reads columns by their declared type', async () => {
    const sql = `CREATE TABLE t (id INTEGER, big BIGINT, amount REAL, name TEXT, data BLOB, day DATE, at DATETIME, clock TIME, none TEXT);
      INSERT INTO t VALUES (1, 9007199254740993, 1.5, 'a', x'6162', '2026-01-31', '2026-01-31 10:20:30', '10:20:30', NULL);
      SELECT * FROM t`;
    const { outputs } = await run('Queries', { sql, fetchType: 'FETCH_ONE' }, aContext());
    expect(outputs).toEqual([
      {
        size: 1,
        row: {
          id: 1,
          big: '9007199254740993',
          amount: 1.5,
          name: 'a',
          data: 'YWI=',
          day: '2026-01-31',
          at: '2026-01-31T10:20:30Z',
          clock: '10:20:30',
          none: null,
        },
      },
    ]);
  });

  test('a stored database is changed and stored again', async () => {
    const context = aContext();
    const url = 'jdbc:sqlite:shop.db';
    const made = await run(
      'Queries',
      { url, sql: 'CREATE TABLE t (id INTEGER); INSERT INTO t VALUES (1)', outputDbFile: true },
      context,
    );
    const more = { url, sqliteFile: made.databaseUri, parameters: { id: 2 } };
    const { databaseUri } = await run(
      'Query',
      { ...more, sql: 'INSERT INTO t VALUES (:id)', outputDbFile: true },
      context,
    );
    const read = await run(
      'Query',
      { url, sqliteFile: databaseUri, sql: 'SELECT id FROM t ORDER BY id', fetchType: 'STORE' },
      context,
    );
    expect(await storedLines(context, read.uri)).toEqual(['{"id":1}', '{"id":2}']);
  });

  test('a failed script is rolled back', async () => {
    const context = aContext();
    const url = 'jdbc:sqlite:kept.db';
    await run('Query', { url, sql: 'CREATE TABLE t (id INTEGER)' }, context);
    await expect(
      run('Queries', { url, sql: 'INSERT INTO t VALUES (1); SELECT * FROM missing' }, context),
    ).rejects.toThrow('SQLite: no such table: missing');
    expect(
      await run('Query', { url, sql: 'SELECT count(*) AS n FROM t', fetchType: 'FETCH_ONE' }, context),
    ).toEqual({ row: { n: 0 }, size: 1 });
  });

  test('a killed task stops within two seconds', async () => {
    const context = aContext();
    const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const running = run('Query', { sql }, context);
    await untilStarted(context);
    const killed = performance.now();
    context.kill();
    await expect(running).rejects.toThrow();
    expect(performance.now() - killed).toBeLessThan(2_000);
  });
});

test.each([
  ['DuckDB', duckdbTypes, "SELECT range AS n, repeat('x', 4000) AS text FROM range(16000)"],
  [
    'SQLite',
    sqliteTypes,
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 16000) SELECT n, hex(zeroblob(2000)) AS text FROM t',
  ],
])('a result of %s that is larger than the memory streams to storage', async (_, types, sql) => {
  const env = { NODE_OPTIONS: '--max-old-space-size=40' };
  const context = aContext();
  const small = {
    ...context,
    spawn: (request: Parameters<TestContext['spawn']>[0]) => context.spawn({ ...request, env }),
  };
  const { uri, size } = await runnerOf(types)('Query', { sql, fetchType: 'STORE' }, small);
  expect(size).toBe(16_000);
  expect(await context.files.sizeOf(String(uri))).toBeGreaterThan(64_000_000);
});
