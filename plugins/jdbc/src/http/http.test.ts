import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { producedForStalledStorage, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { aDatabaseContext, pollOf, runnerOf, storedLines } from '../testing/databaseContext.ts';
import { playDatabase } from '../testing/httpServer.ts';
import { clickhouseTypes } from './clickhouse.ts';
import { druidTypes } from './druid.ts';
import { pinotTypes } from './pinot.ts';
import { trinoTypes } from './trino.ts';

const login = { username: 'me', password: 's3cret' };
const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('ClickHouse', () => {
  const run = runnerOf(clickhouseTypes);

  test('reads every kind of column', async () => {
    const { host, received } = await playDatabase((_, response) => {
      response.setHeader('X-ClickHouse-Timezone', 'Europe/Paris');
      response.end(
        lines(
          ['id', 'big', 'amount', 'at', 'tz', 'exact', 'list', 'none', 'ip'],
          [
            'UInt8',
            'UInt64',
            'Nullable(Decimal(30, 2))',
            'DateTime',
            "DateTime('Asia/Tokyo')",
            'DateTime64(3)',
            'Array(UInt64)',
            'Nullable(String)',
            'IPv4',
          ],
          [
            1,
            '18446744073709551615',
            '12.5',
            '2026-01-31 10:00:00',
            '2026-01-31 10:00:00',
            '2026-07-31 10:00:00.500',
            ['1', '18446744073709551615'],
            null,
            '10.0.0.1',
          ],
        ),
      );
    });
    const context = aDatabaseContext();
    const query = {
      ...login,
      url: `jdbc:clickhouse://${host}/shop`,
      sql: "SELECT * FROM t WHERE name = :name AND id > :id -- ':id'",
      parameters: { name: "O'Hara\n", id: 3 },
    };
    const { row } = await run('Query', { ...query, fetchType: 'FETCH_ONE' }, context);
    expect(row).toEqual({
      id: 1,
      big: '18446744073709551615',
      amount: 12.5,
      at: '2026-01-31T10:00:00',
      tz: '2026-01-31T10:00:00+09:00',
      exact: '2026-07-31T10:00:00.5+02:00',
      list: [1, '18446744073709551615'],
      none: null,
      ip: '10.0.0.1',
    });
    const [{ url, body, headers } = { url: new URL('x:'), body: '', headers: {} }] = received;
    expect(body).toBe("SELECT * FROM t WHERE name = {p1:String} AND id > {p2:Int64} -- ':id'");
    expect([
      url.searchParams.get('database'),
      url.searchParams.get('param_p1'),
      url.searchParams.get('param_p2'),
    ]).toEqual(['shop', "O'Hara\\n", '3']);
    expect(headers.authorization).toBe(`Basic ${Buffer.from('me:s3cret').toString('base64')}`);
    const { uri } = await run('Query', { ...query, fetchType: 'STORE' }, context);
    expect((await storedLines(context, uri))[0]).toContain('"big":18446744073709551615,"amount":12.50');
  });

  test('inserts rows in bulk, with the columns of the table', async () => {
    const { host, received } = await playDatabase(({ body }, response) => {
      if (body.startsWith('SELECT')) return response.end(lines(['id', 'name'], ['UInt64', 'String']));
      response.setHeader('X-ClickHouse-Summary', '{"written_rows":"2"}');
      response.end();
    });
    const context = aDatabaseContext();
    const from = await context.files.put('rows.ion', '{"name":"a","id":18446744073709551615}\n{"id":2}');
    const outputs = await run(
      'BulkInsert',
      { ...login, url: `jdbc:ch://${host}`, from, table: 'items' },
      context,
    );
    expect(outputs).toEqual({ rowCount: 2, updatedCount: 2 });
    expect(received[1]?.body).toBe(
      'INSERT INTO items (`id`, `name`) FORMAT JSONCompactEachRow\n["18446744073709551615","a"]\n[2,null]\n',
    );
  });

  test('says what the server says, also in the middle of the rows', async () => {
    const { host } = await playDatabase(({ body }, response) => {
      if (body === 'SELECT 2')
        return response.end(`${lines(['a'], ['UInt8'], [1])}Code: 159. DB::Exception: Timeout exceeded\n`);
      response.statusCode = 400;
      response.end('Code: 62. DB::Exception: Syntax error\n');
    });
    const query = (sql: string) =>
      run('Query', { url: `jdbc:clickhouse://${host}`, sql, fetchType: 'FETCH' }, aDatabaseContext());
    await expect(query('SELEC')).rejects.toThrow('ClickHouse: Code: 62. DB::Exception: Syntax error');
    await expect(query('SELECT 2')).rejects.toThrow('Timeout exceeded');
  });

  test('a killed task asks the server to stop', async () => {
    const { host, received } = await playDatabase(({ body }, response) => {
      if (body.startsWith('KILL')) response.end();
    });
    const context = aDatabaseContext();
    const running = run('Query', { url: `jdbc:clickhouse://${host}`, sql: 'SELECT sleep(60)' }, context);
    await expect.poll(() => received.length).toBe(1);
    context.kill();
    await expect(running).rejects.toThrow();
    await expect
      .poll(() => received[1]?.body)
      .toBe(`KILL QUERY WHERE query_id = '${received[0]?.url.searchParams.get('query_id')}' ASYNC`);
  });
});

describe('Trino', () => {
  const run = runnerOf(trinoTypes);

  test('follows the pages of a result and reads every kind of column', async () => {
    const columns = [
      ['id', 'bigint'],
      ['amount', 'decimal(30,2)'],
      ['at', 'timestamp(3)'],
      ['tz', 'timestamp(3) with time zone'],
      ['more', 'json'],
      ['span', 'interval day to second'],
      ['months', 'interval year to month'],
      ['list', 'array(decimal(3,1))'],
    ].map(([name, type]) => ({ name, type }));
    const { host, received } = await playDatabase(({ url }, response, here) => {
      const page = Number(url.pathname.split('/').at(-1)) || 0;
      const next = page < 3 ? { nextUri: `http://${here}/v1/statement/executing/${page + 1}` } : {};
      const data = [
        '9007199254740993',
        '"12.50"',
        '"2026-01-31 10:00:00.000"',
        '"2026-01-31 10:00:00.000 UTC"',
        '"{\\"a\\":1}"',
        '"2 03:04:05.500"',
        '"1-2"',
        '["1.5"]',
      ];
      const rows = page >= 2 ? `,"data":[[${data.join()}]]` : '';
      const text = JSON.stringify({ id: 'q', ...next, ...(page > 0 && { columns }) });
      response.end(`${text.slice(0, -1)}${rows}}`);
    });
    const outputs = await run(
      'Query',
      {
        url: `jdbc:trino://${host}/tpch/sf1`,
        username: 'me',
        timeZoneId: 'Europe/Paris',
        fetchType: 'FETCH',
        sql: 'SELECT * FROM t WHERE name = :name',
        parameters: { name: "O'Hara" },
      },
      aDatabaseContext(),
    );
    const row = {
      id: '9007199254740993',
      amount: 12.5,
      at: '2026-01-31T10:00:00',
      tz: '2026-01-31T11:00:00+01:00',
      more: { a: 1 },
      span: 'P2DT3H4M5.5S',
      months: 'P1Y2M',
      list: [1.5],
    };
    expect(outputs).toEqual({ rows: [row, row], size: 2 });
    expect(received[0]).toMatchObject({
      method: 'POST',
      body: "EXECUTE IMMEDIATE 'SELECT * FROM t WHERE name = ?' USING 'O''Hara'",
      headers: {
        'x-trino-user': 'me',
        'x-trino-catalog': 'tpch',
        'x-trino-schema': 'sf1',
        'x-trino-time-zone': 'Europe/Paris',
      },
    });
  });

  test('an update returns nothing, an error is reported, and a busy server is asked again', async () => {
    let asked = 0;
    const { host } = await playDatabase(({ body }, response) => {
      if (asked++ === 0) {
        response.statusCode = 503;
        return response.end();
      }
      const failure = { error: { message: 'line 1:1: mismatched input', errorName: 'SYNTAX_ERROR' } };
      response.end(
        JSON.stringify(
          body.startsWith('INSERT')
            ? { updateType: 'INSERT', columns: [{ name: 'rows', type: 'bigint' }], data: [[1]] }
            : failure,
        ),
      );
    });
    const query = (sql: string) =>
      run('Query', { url: `jdbc:trino://${host}`, sql, fetchType: 'FETCH' }, aDatabaseContext());
    expect(await query('INSERT INTO t VALUES (1)')).toEqual({});
    await expect(query('SELEC')).rejects.toThrow('Trino: line 1:1: mismatched input (SYNTAX_ERROR)');
  });

  test('a killed task stops the query', async () => {
    const { host, received } = await playDatabase(({ method, url }, response, here) => {
      if (method === 'DELETE') return response.end();
      if (url.pathname === '/v1/statement')
        response.end(JSON.stringify({ nextUri: `http://${here}/v1/next` }));
    });
    const context = aDatabaseContext();
    const running = run('Query', { url: `jdbc:trino://${host}`, sql: 'SELECT 1' }, context);
    await expect.poll(() => received.length).toBe(2);
    context.kill();
    await expect(running).rejects.toThrow();
    await expect
      .poll(() => received.at(-1))
      .toMatchObject({ method: 'DELETE', url: new URL('/v1/next', 'http://localhost') });
  });
});

test('Druid answers over its SQL API', async () => {
  const { host, received } = await playDatabase((_, response) => {
    response.end(
      `${lines(['__time', 'big', 'name'], ['TIMESTAMP', 'BIGINT', 'VARCHAR'])}["2026-01-31T10:00:00.000Z",9007199254740993,"a"]\n\n`,
    );
  });
  const url = `jdbc:avatica:remote:url=http://${host}/druid/v2/sql/avatica/;transparent_reconnection=true`;
  const properties = {
    url,
    username: 'me',
    password: 'pw',
    timeZoneId: 'Europe/Paris',
    sql: 'SELECT * FROM t WHERE n = :n',
    parameters: { n: 1 },
    fetchType: 'FETCH',
  };
  const outputs = await runnerOf(druidTypes)('Query', properties, aDatabaseContext());
  expect(outputs.rows).toEqual([{ __time: '2026-01-31T11:00:00+01:00', big: '9007199254740993', name: 'a' }]);
  expect(received[0]?.url.pathname).toBe('/druid/v2/sql');
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    query: 'SELECT * FROM t WHERE n = ?',
    parameters: [{ type: 'BIGINT', value: 1 }],
  });
});

test('Pinot answers through its controller, and tells errors', async () => {
  const { host, received } = await playDatabase(({ body }, response) => {
    if (body.includes('missing'))
      return response.end('{"exceptions":[{"errorCode":190,"message":"TableDoesNotExistError"}]}');
    response.end(
      '{"resultTable":{"dataSchema":{"columnNames":["big","at"],"columnDataTypes":["LONG","TIMESTAMP"]},"rows":[[9007199254740993,"2026-01-31 10:00:00.0"]]},"exceptions":[]}',
    );
  });
  const poll = (sql: string) =>
    pollOf(
      pinotTypes,
      { url: `jdbc:pinot://${host}`, timeZoneId: 'UTC', sql, parameters: { n: "a'b" } },
      aDatabaseContext(),
    );
  expect(await poll('SELECT * FROM t WHERE n = :n')).toEqual({
    rows: [{ big: '9007199254740993', at: '2026-01-31T10:00:00Z' }],
    size: 1,
  });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ sql: "SELECT * FROM t WHERE n = 'a''b'" });
  await expect(poll('SELECT * FROM missing')).rejects.toThrow('Pinot: TableDoesNotExistError');
});

describe('a result of any size streams to storage', () => {
  const cells = ['x'.repeat(10_000)];
  /** The bytes that a server may be ahead: buffers of the two sockets and a few chunks. */
  const maxAheadBytes = 32 * 1_048_576;
  const query = { ...login, sql: 'SELECT * FROM t', fetchType: 'STORE' };

  /** Writes lines without end, as fast as they are taken. */
  async function writeForever(
    response: ServerResponse,
    head: string,
    line: string,
    count: (bytes: number) => void,
  ) {
    response.write(head);
    while (!response.destroyed) {
      count(line.length);
      if (!response.write(line)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  }

  test.each([
    [
      'ClickHouse',
      clickhouseTypes,
      'jdbc:clickhouse://HOST',
      lines(['a'], ['String']),
      `${JSON.stringify(cells)}\n`,
    ],
    [
      'Druid',
      druidTypes,
      'jdbc:avatica:remote:url=http://HOST/druid/v2/sql/avatica/',
      '["a"]\n["VARCHAR"]\n',
      `${JSON.stringify(cells)}\n`,
    ],
    [
      'Pinot',
      pinotTypes,
      'jdbc:pinot://HOST',
      '{"resultTable":{"dataSchema":{"columnNames":["a"],"columnDataTypes":["STRING"]},"rows":[["a"]',
      `,${JSON.stringify(cells)}`,
    ],
  ])('%s, line by line', async (_, types, url, head, line) => {
    let bytes = 0;
    const { host } = await playDatabase(({ method, body }, response) => {
      if (method === 'DELETE' || body.startsWith('KILL')) return void response.end();
      void writeForever(response, head, line, (more) => {
        bytes += more;
      });
    });
    const start = (context: TestContext) =>
      runnerOf(types)('Query', { ...query, url: url.replace('HOST', host) }, context);
    expect(await producedForStalledStorage(aDatabaseContext(), start, () => bytes)).toBeLessThan(
      maxAheadBytes,
    );
  });

  test('Trino, page by page', async () => {
    let pages = 0;
    const { host } = await playDatabase(({ method }, response, here) => {
      if (method === 'DELETE') return void response.end();
      pages++;
      response.end(
        JSON.stringify({
          nextUri: `http://${here}/next/${pages}`,
          columns: [{ name: 'a', type: 'varchar' }],
          data: Array.from({ length: 20 }, () => cells),
        }),
      );
    });
    const start = (context: TestContext) =>
      runnerOf(trinoTypes)('Query', { ...query, url: `jdbc:trino://${host}` }, context);
    expect(await producedForStalledStorage(aDatabaseContext(), start, () => pages)).toBeLessThan(5);
  });
});
