import { createVerify, generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { producedForStalledStorage, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { aDatabaseContext, runnerOf } from '../testing/databaseContext.ts';
import { playDatabase } from '../testing/httpServer.ts';
import { snowflakeTypes } from './index.ts';
import { keyToken, readPrivateKey } from './settings.ts';

const run = runnerOf(snowflakeTypes);
const login = { username: 'me', password: 's3cret', warehouse: 'WH', timeZoneId: 'Europe/Paris' };
const success = (data: object) => JSON.stringify({ success: true, data });

const columns = [
  ['ID', 'fixed'],
  ['AMOUNT', 'fixed'],
  ['RATIO', 'real'],
  ['OK', 'boolean'],
  ['DAY', 'date'],
  ['CLOCK', 'time'],
  ['NTZ', 'timestamp_ntz'],
  ['TZ', 'timestamp_tz'],
  ['MORE', 'variant'],
  ['BIN', 'binary'],
  ['NAME', 'text'],
  ['NONE', 'text'],
].map(([name, type]) => ({ name, type }));
const cells = [
  '9007199254740993',
  '12.50',
  '1.5',
  '1',
  '20484',
  '37230.500000000',
  '1769854830.123000000',
  '1769854830.000000000 1500',
  '{"a":[1]}',
  '6162',
  'x',
  null,
];
const row = {
  ID: '9007199254740993',
  AMOUNT: 12.5,
  RATIO: 1.5,
  OK: true,
  DAY: '2026-01-31',
  CLOCK: '10:20:30.5',
  NTZ: '2026-01-31T10:20:30.123+01:00',
  TZ: '2026-01-31T10:20:30Z',
  MORE: { a: [1] },
  BIN: 'YWI=',
  NAME: 'x',
  NONE: null,
};

describe('Snowflake', () => {
  test('logs in, waits for a long statement and reads all parts of its result', async () => {
    const { host, received } = await playDatabase(({ url, body }, response, here) => {
      if (url.pathname.endsWith('login-request')) return response.end(success({ token: 'T' }));
      if (url.pathname === '/chunk')
        return response.end(gzipSync(`${JSON.stringify(cells)},${JSON.stringify(cells)}`));
      if (url.pathname === '/result')
        return response.end(
          success({
            rowtype: columns,
            rowset: [cells],
            statementTypeId: 4096,
            chunks: [{ url: `http://${here}/chunk` }],
            chunkHeaders: { 'x-key': 'k' },
          }),
        );
      if (body.includes('sqlText'))
        return response.end(
          JSON.stringify({ success: true, code: '333333', data: { getResultUrl: '/result' } }),
        );
      response.end(success({}));
    });
    const url = `jdbc:snowflake://${host}/?ssl=off&account=acme&db=SHOP`;
    const properties = {
      ...login,
      url,
      queryTag: 'tag',
      sql: 'SELECT * FROM t WHERE id = :id AND n = :n',
      parameters: { id: 1, n: null },
      fetchType: 'FETCH',
    };
    expect(await run('Query', properties, aDatabaseContext())).toEqual({ rows: [row, row, row], size: 3 });
    const [first, query, , chunk] = received;
    expect(first?.url.searchParams.get('databaseName')).toBe('SHOP');
    expect(JSON.parse(first?.body ?? '').data).toMatchObject({
      ACCOUNT_NAME: 'acme',
      LOGIN_NAME: 'me',
      PASSWORD: 's3cret',
      SESSION_PARAMETERS: { QUERY_TAG: 'tag' },
    });
    expect(query?.headers.authorization).toBe('Snowflake Token="T"');
    expect(JSON.parse(query?.body ?? '')).toMatchObject({
      sqlText: 'SELECT * FROM t WHERE id = ? AND n = ?',
      bindings: { 1: { type: 'FIXED', value: '1' }, 2: { type: 'TEXT', value: null } },
    });
    expect(chunk?.headers['x-key']).toBe('k');
  });

  test('reads the parts of a large result only as fast as they are stored', async () => {
    let parts = 0;
    const { host } = await playDatabase(({ url, body }, response, here) => {
      if (url.pathname === '/chunk') {
        parts++;
        return response.end(gzipSync(Array.from({ length: 2_000 }, () => JSON.stringify(cells)).join()));
      }
      const chunks = Array.from({ length: 1_000 }, () => ({ url: `http://${here}/chunk` }));
      response.end(
        success(
          body.includes('sqlText')
            ? { rowtype: columns, rowset: [], statementTypeId: 4096, chunks, chunkHeaders: {} }
            : { token: 'T' },
        ),
      );
    });
    const url = `jdbc:snowflake://${host}/?ssl=off&account=acme`;
    const start = (context: TestContext) =>
      run('Query', { ...login, url, sql: 'SELECT * FROM t', fetchType: 'STORE' }, context);
    expect(await producedForStalledStorage(aDatabaseContext(), start, () => parts)).toBeLessThan(5);
  });

  test('runs a script in a transaction, and keeps the rows of queries only', async () => {
    const { host, received } = await playDatabase(({ body }, response) => {
      const isInsert = body.includes('INSERT');
      response.end(
        success({
          token: 'T',
          rowtype: [{ name: 'N', type: 'fixed' }],
          rowset: [['2']],
          statementTypeId: isInsert ? 0x3100 : 0x1000,
        }),
      );
    });
    const sql = 'INSERT INTO t VALUES (1); SELECT count(*) AS n FROM t';
    const properties = { ...login, url: `jdbc:snowflake://${host}/?ssl=off`, sql, fetchType: 'FETCH_ONE' };
    expect(await run('Queries', properties, aDatabaseContext())).toEqual({
      outputs: [{ row: { N: 2 }, size: 1 }],
    });
    const sent = received.map(({ body }) => JSON.parse(body).sqlText).filter(Boolean);
    expect(sent).toEqual(['BEGIN', 'INSERT INTO t VALUES (1)', 'SELECT count(*) AS n FROM t', 'COMMIT']);
  });

  test('says what is wrong', async () => {
    const { host } = await playDatabase(({ url }, response) => {
      const isLogin = url.pathname.includes('login') && url.searchParams.get('warehouse') === 'BAD';
      if (isLogin)
        return response.end(
          '{"success":false,"code":"390100","message":"Incorrect username or password was specified."}',
        );
      response.end(
        url.pathname.includes('query')
          ? '{"success":false,"code":"001003","message":"SQL compilation error"}'
          : success({ token: 'T' }),
      );
    });
    const query = (more: object) =>
      run(
        'Query',
        { ...login, url: `jdbc:snowflake://${host}/?ssl=off`, sql: 'SELEC', ...more },
        aDatabaseContext(),
      );
    await expect(query({ warehouse: 'BAD' })).rejects.toThrow(
      'Snowflake: Incorrect username or password was specified. (390100)',
    );
    await expect(query({})).rejects.toThrow('Snowflake: SQL compilation error (001003)');
    await expect(query({ privateKey: 'nonsense' })).rejects.toThrow('"privateKey" must be a private key');
  });
});

test('a private key signs the token, in any of its forms', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'pw' })
    .toString();
  const der = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  for (const key of [
    readPrivateKey(pem, 'pw'),
    readPrivateKey(Buffer.from(pem).toString('base64'), 'pw'),
    readPrivateKey(der, undefined),
  ]) {
    const [head, claims = '', signature = ''] = keyToken('acme', 'me', key, new Date(0)).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      sub: 'ACME.ME',
      iat: 0,
      exp: 60,
    });
    expect(
      createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url'),
    ).toBe(true);
  }
});
