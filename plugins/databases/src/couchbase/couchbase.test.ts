import { expect, test } from 'vitest';
import { aContext, aService, poll, rowsIn, run } from '../testing/service.ts';

async function aCouchbase() {
  const service = await aService(({ path, headers, text }) => {
    const login = Buffer.from('alice:correct-password').toString('base64');
    if (path !== '/query/service') return [404, 'page not found'];
    const failed = (status: number, code: number, msg: string) =>
      [status, { requestID: 'r', errors: [{ code, msg }], status: 'fatal' }] as const;
    if (headers.authorization !== `Basic ${login}`)
      return failed(401, 13014, 'User does not have credentials');
    const { statement, args, $customer } = JSON.parse(text);
    if (statement === 'SELEC') return failed(400, 3000, 'syntax error - line 1, column 6');
    const results = statement === 'none' ? [] : [{ customer: $customer ?? args?.[0], big: '<big>' }, 7];
    const body = JSON.stringify({ requestID: 'r', signature: {}, results, status: 'success' });
    return [200, body.replace('"<big>"', '9007199254740993')];
  });
  return {
    connectionString: `couchbase://${service.host}:${service.port}`,
    username: 'alice',
    password: 'correct-password',
  };
}

test('rows are returned with named and positional parameters, all digits kept', async () => {
  const server = await aCouchbase();
  const context = aContext();
  const query = { ...server, query: 'SELECT', parameters: { customer: 'Ada' } };
  expect(await run('couchbase.Query', { ...query, fetchType: 'FETCH' })).toEqual({
    rows: [{ customer: 'Ada', big: '9007199254740993' }, { value: 7 }],
    size: 2,
  });
  const positional = await run('couchbase.Query', { ...query, parameters: ['Bob'], fetchType: 'FETCH_ONE' });
  expect(positional).toMatchObject({ row: { customer: 'Bob' }, size: 1 });
  const stored = await run('couchbase.Query', query, context);
  expect(await context.files.text(String(stored.uri))).toContain('"big":9007199254740993');
  expect(await rowsIn(context, stored.uri)).toHaveLength(2);
});

test('the trigger starts only when there are rows', async () => {
  const server = await aCouchbase();
  expect(await poll('couchbase.Trigger', { ...server, query: 'none' })).toBeUndefined();
  expect(await poll('couchbase.Trigger', { ...server, query: 'SELECT' })).toMatchObject({ size: 2 });
});

test('a wrong statement, a wrong password and a wrong connection string are named', async () => {
  const server = await aCouchbase();
  await expect(run('couchbase.Query', { ...server, query: 'SELEC' })).rejects.toThrow(
    'syntax error - line 1, column 6 (code 3000)',
  );
  await expect(run('couchbase.Query', { ...server, password: 'wrong', query: 'x' })).rejects.toThrow(
    'User does not have credentials',
  );
  await expect(run('couchbase.Query', { ...server, connectionString: 'db', query: 'x' })).rejects.toThrow(
    '"db" is not a connection string',
  );
});
