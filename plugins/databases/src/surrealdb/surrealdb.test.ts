import { expect, test } from 'vitest';
import { aContext, aService, poll, rowsIn, run } from '../testing/service.ts';

const ok = (result: unknown) => ({ status: 'OK', time: '1ms', result });

async function aSurrealDb() {
  const service = await aService(({ path, search, headers, text }) => {
    const login = Buffer.from('alice:correct-password').toString('base64');
    if (path !== '/sql' || headers['surreal-ns'] !== 'shop' || headers['surreal-db'] !== 'sales')
      return [400, { information: 'Specify a namespace and database' }];
    if (headers.authorization !== `Basic ${login}`)
      return [401, { code: 401, information: 'There was a problem with authentication' }];
    if (text === 'PARSE ERROR') return [400, { code: 400, information: 'Parse error: unexpected token' }];
    if (text.includes('THROW')) return [200, [ok([]), { status: 'ERR', result: 'An error occurred: stop' }]];
    if (text.includes('none')) return [200, [ok([])]];
    return [200, [ok(null), ok([{ id: 'order:1', customer: search.get('customer') }, 5])]];
  });
  const { host, port } = service;
  return {
    host,
    port,
    username: 'alice',
    password: 'correct-password',
    namespace: 'shop',
    database: 'sales',
  };
}

test('the rows of the last statement are returned', async () => {
  const server = await aSurrealDb();
  const context = aContext();
  const query = { ...server, query: 'LET $x = 1; SELECT * FROM order', parameters: { customer: 'Ada' } };
  const rows = [{ id: 'order:1', customer: 'Ada' }, { value: 5 }];
  expect(await run('surrealdb.Query', { ...query, fetchType: 'FETCH' })).toEqual({ rows, size: 2 });
  expect(await run('surrealdb.Query', { ...query, fetchType: 'FETCH_ONE' })).toEqual({
    row: rows[0],
    size: 1,
  });
  const stored = await run('surrealdb.Query', query, context);
  expect(await rowsIn(context, stored.uri)).toEqual(rows);
});

test('the trigger starts only when there are rows', async () => {
  const server = await aSurrealDb();
  expect(await poll('surrealdb.Trigger', { ...server, query: 'none' })).toBeUndefined();
  expect(await poll('surrealdb.Trigger', { ...server, query: 'SELECT', fetchType: 'FETCH' })).toMatchObject({
    size: 2,
  });
});

test('a wrong statement, a failed statement and a wrong password are named', async () => {
  const server = await aSurrealDb();
  await expect(run('surrealdb.Query', { ...server, query: 'PARSE ERROR' })).rejects.toThrow(
    'unexpected token',
  );
  await expect(run('surrealdb.Query', { ...server, query: "THROW 'stop'" })).rejects.toThrow(
    'Statement 2 failed: "An error occurred: stop"',
  );
  await expect(run('surrealdb.Query', { ...server, query: 'x', password: 'wrong' })).rejects.toThrow(
    'problem with authentication',
  );
});
