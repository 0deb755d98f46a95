import { generateKeyPairSync } from 'node:crypto';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import {
  aServiceContext,
  checkExchanges,
  type Exchange,
  expectExchanges,
  startServices,
} from '../testing/exchange.ts';
import { bearer, clientCredentials, passwordGrant, refreshToken, signJwt } from './auth.ts';
import { createRestClient } from './client.ts';
import { errorText } from './errorText.ts';
import { out, valueAt } from './outputs.ts';
import { type Paging, readRows } from './paging.ts';
import { may, need, requestOptions } from './properties.ts';
import { fillPath, toForm, toQuery } from './query.ts';
import { defineService } from './service.ts';
import { waitFor } from './waitFor.ts';

startServices();

const api = 'https://api.example.com';
const client = { tokenUrl: `${api}/token`, clientId: 'id', clientSecret: 'client-secret', scope: 'all' };

const open = (options: Partial<Parameters<typeof createRestClient>[1]> = {}) => {
  const context = aServiceContext();
  return { context, rest: createRestClient(context, { name: 'Example', baseUrl: api, ...options }) };
};

const collect = async (paging: Paging, exchanges: readonly Exchange[], query = {}): Promise<unknown[]> => {
  const { received } = expectExchanges(exchanges);
  const { rest } = open({ auth: bearer('t') });
  const rows: unknown[] = [];
  for await (const row of readRows(rest, { request: { path: '/rows', query }, at: 'rows', paging }))
    rows.push(row);
  checkExchanges(received, exchanges);
  return rows;
};

describe('a list is read page by page', () => {
  test('with a cursor', async () => {
    const paging: Paging = { kind: 'cursor', parameter: 'after', next: 'meta.next' };
    const rows = await collect(paging, [
      { asks: `GET ${api}/rows`, replies: { rows: [{ a: 1 }], meta: { next: 'x y' } } },
      { asks: `GET ${api}/rows?after=x%20y`, replies: { rows: [{ a: 2 }], meta: { next: null } } },
    ]);
    expect(rows).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('with numbers of pages, until one is not full', async () => {
    const paging: Paging = { kind: 'page', parameter: 'page', sizeParameter: 'size', size: 2 };
    const rows = await collect(paging, [
      { asks: `GET ${api}/rows?page=1&size=2`, replies: { rows: [{ a: 1 }, { a: 2 }] } },
      { asks: `GET ${api}/rows?page=2&size=2`, replies: { rows: [{ a: 3 }] } },
    ]);
    expect(rows).toHaveLength(3);
  });

  test('with an offset and a page size of the user', async () => {
    const paging: Paging = { kind: 'offset', parameter: 'from', sizeParameter: 'size', size: 100 };
    const exchanges = [
      { asks: `GET ${api}/rows?size=1&from=0`, replies: { rows: [{ a: 1 }] } },
      { asks: `GET ${api}/rows?size=1&from=1`, replies: { rows: [] } },
    ];
    expect(await collect(paging, exchanges, { size: 1 })).toEqual([{ a: 1 }]);
  });

  test('with the address of the next page, which gets no credentials when it is another host', async () => {
    const rows = await collect({ kind: 'nextUrl', at: 'next' }, [
      {
        asks: `GET ${api}/rows`,
        headers: { authorization: 'Bearer t' },
        replies: { rows: [{ a: 1 }], next: 'https://evil.example.net/rows?p=2' },
      },
      {
        asks: 'GET https://evil.example.net/rows?p=2',
        headers: { authorization: undefined },
        replies: { rows: [] },
      },
    ]);
    expect(rows).toEqual([{ a: 1 }]);
  });

  test('and a service that repeats its cursor ends the task', async () => {
    const page = { replies: { rows: [{ a: 1 }], next: 'x' } };
    const run = collect({ kind: 'cursor', parameter: 'after', next: 'next' }, [
      { asks: `GET ${api}/rows`, ...page },
      { asks: `GET ${api}/rows?after=x`, ...page },
    ]);
    await expect(run).rejects.toThrow('the same page again and again');
  });
});

describe('a login', () => {
  test.each([
    ['client credentials', clientCredentials(client), { grant_type: 'client_credentials' }],
    [
      'a refresh token',
      refreshToken({ ...client, refreshToken: 'r' }),
      { grant_type: 'refresh_token', refresh_token: 'r' },
    ],
    [
      'a user',
      passwordGrant({ ...client, username: 'ada', password: 'pass-word' }),
      { grant_type: 'password', username: 'ada', password: 'pass-word' },
    ],
  ])('with %s asks for a token once, and covers it in logs', async (_, auth, sends) => {
    const exchanges = [
      {
        asks: `POST ${api}/token`,
        sends: { ...sends, client_id: 'id', client_secret: 'client-secret', scope: 'all' },
        replies: { access_token: 'token-of-ada', expires_in: 3600 },
      },
      { asks: `GET ${api}/a`, headers: { authorization: 'Bearer token-of-ada' } },
      { asks: `GET ${api}/b`, headers: { authorization: 'Bearer token-of-ada' } },
    ];
    const { received } = expectExchanges(exchanges);
    const { rest, context } = open({ auth });
    await rest.send({ path: '/a' });
    await rest.send({ path: 'b' });
    checkExchanges(received, exchanges);
    expect(context.masker.mask('token-of-ada')).not.toContain('token-of-ada');
  });

  test('whose token has expired is repeated once', async () => {
    const token = { asks: `POST ${api}/token`, replies: { access_token: 'token-1' } };
    const { received } = expectExchanges([
      token,
      { asks: '', status: 401 },
      { ...token, replies: { access_token: 'token-2' } },
      { asks: '', replies: { fine: true } },
    ]);
    const { rest } = open({ auth: clientCredentials({ ...client, sendWith: 'basic' }) });
    expect(await rest.ask({ path: '/a' })).toEqual({ fine: true });
    expect(received[3]?.headers.authorization).toBe('Bearer token-2');
    expect(received[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('id:client-secret').toString('base64')}`,
    );
  });

  test('that is refused says so without the secret', async () => {
    expectExchanges([
      {
        asks: '',
        status: 400,
        replies: { error: 'invalid_client', error_description: 'client-secret is wrong' },
      },
    ]);
    const { rest, context } = open({ auth: clientCredentials(client) });
    context.masker.add('client-secret');
    const failure = await rest.send({ path: '/a' }).catch((error: Error) => error);
    expect(failure).toMatchObject({ retry: false, message: expect.stringContaining('The login of Example') });
    expect(String(failure)).not.toContain('client-secret');
  });

  test('signs tokens that name the algorithm', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const [header = ''] = signJwt({ alg: 'PS256' }, { iss: 'a' }, privateKey).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ typ: 'JWT', alg: 'PS256' });
    expect(() => signJwt({ alg: 'RS256' }, {}, 'no key')).toThrow('The private key cannot be read');
  });
});

describe('a refused request', () => {
  test.each([
    [
      401,
      { message: 'Bad credentials' },
      'Bad credentials Check the credentials and their permissions.',
      false,
    ],
    [404, { error: { message: 'No such thing' } }, 'to GET /a: No such thing', false],
    [422, { errors: [{ detail: 'name is empty' }] }, 'name is empty', false],
    [500, '<html><b>Oops</b></html>', 'status 500 to GET /a: Oops', true],
    [429, {}, 'The service limits requests', true],
  ])('with status %i has the words of the service', async (status, replies, words, retry) => {
    expectExchanges([{ asks: '', status, replies }]);
    const failure = open().rest.send({ path: '/a', query: { key: 'k' } });
    await expect(failure).rejects.toThrow(words);
    await expect(failure).rejects.toMatchObject({ retry });
  });

  test.each([
    ['{"error":"x","error_description":"y"}', 'y'],
    ['{"errorMessages":[],"errors":{"project":"is required"}}', '{"project":"is required"}'],
    ['[{"message":"m","errorCode":"E"}]', 'm'],
    ['plain', 'plain'],
    ['', ''],
  ])('finds the sentence in %s', (body, words) => expect(errorText(body)).toBe(words));

  test('is sent again after the pause that the service names', async () => {
    expectExchanges([
      { asks: '', status: 429, replyHeaders: { 'retry-after': '0' } },
      { asks: '', replies: { fine: true } },
    ]);
    const { rest, context } = open();
    expect(await rest.ask({ path: '/a' })).toEqual({ fine: true });
    expect(context.logs[0]?.message).toContain('Example limits requests');
  });
});

test('a host that cannot be reached is named, and trying again may help', async () => {
  const context = aServiceContext();
  const rest = createRestClient(
    { ...context, fetch: () => Promise.reject(new Error('connect ECONNREFUSED')) },
    { name: 'Example', baseUrl: api },
  );
  const failure = rest.send({ path: '/a' });
  await expect(failure).rejects.toThrow(
    'Example (api.example.com) could not be reached: connect ECONNREFUSED',
  );
  await expect(failure).rejects.toMatchObject({ retry: true });
});

test('an address that is none is refused', () => {
  expect(() => createRestClient(aServiceContext(), { name: 'Example', baseUrl: 'nowhere' })).toThrow(
    '"nowhere" is not a valid address of Example.',
  );
});

describe('waiting for a job', () => {
  test('ends when the task is killed', async () => {
    const context = aServiceContext();
    const wait = { what: 'The job', everyMs: 60_000, atMostMs: 120_000, poll: async () => undefined };
    const run = waitFor(context, wait);
    context.kill();
    await expect(run).rejects.toThrow('aborted');
  });

  test('ends when it takes too long', async () => {
    const wait = { what: 'The job', everyMs: 1, atMostMs: 0, poll: async () => undefined };
    await expect(waitFor(aServiceContext(), wait)).rejects.toThrow('The job did not end within 0 s.');
  });
});

test.each([
  ['/a/{x}/b', { x: 'y z/w' }, '/a/y%20z%2Fw/b'],
  ['/a/{+x}', { x: 'y z/w' }, '/a/y%20z/w'],
])('%s is filled with %o', (template, values, path) => expect(fillPath(template, values)).toBe(path));

test('a path with a missing property names it', () => {
  expect(() => fillPath('/a/{x}', {})).toThrow('"x" must be given.');
});

test('queries repeat the name of a list, forms nest', () => {
  expect(toQuery({ a: ['x', 'y'], b: undefined, c: '&' }, '?')).toBe('?a=x&a=y&c=%26');
  expect(decodeURIComponent(toForm({ a: { b: 1, c: ['x'] } }))).toBe('a[b]=1&a[c][0]=x');
});

test('a value is found by its path, also under a key with dots', () => {
  expect(valueAt({ a: [{ b: 1 }, { b: 2 }] }, 'a.-1.b')).toBe(2);
  expect(valueAt({ '@odata.nextLink': 'x' }, '@odata.nextLink')).toBe('x');
  expect(valueAt({ a: 'x' }, 'a.b.c')).toBeUndefined();
});

describe('a declared call', () => {
  const service = defineService({
    name: 'Example',
    prefix: 'example',
    properties: { apiKey: need.secret('The key.'), ...requestOptions },
    baseUrl: api,
    auth: ({ apiKey }) => ({ query: { key: apiKey } }),
    example: { apiKey: "{{ secret('KEY') }}" },
  });
  const task = service.task({
    type: 'things.Create',
    title: 'Create a thing',
    description: 'Creates one.',
    properties: {
      folder: need.text('The folder.'),
      size: may.integer('The size.'),
      tags: may.texts('Tags.'),
    },
    request: 'POST /folders/{folder}/things',
    query: { 'max-size': 'size' },
    body: ['tags'],
    output: { thingId: out.text('The id.', 'thing.id'), count: out.integer('The count.') },
    example: { folder: 'a', tags: ['x'] },
  });

  test('sends and reads what it declares, and covers its secrets', async () => {
    const { received } = expectExchanges([{ asks: '', replies: { thing: { id: 7 }, count: '3' } }]);
    const context = aServiceContext();
    const properties = { apiKey: 'key-of-ada', folder: 'a/b', size: '5', tags: ['x'] };
    expect(await runType(task, properties, context)).toEqual({ thingId: '7', count: 3 });
    checkExchanges(received, [
      { asks: `POST ${api}/folders/a%2Fb/things?max-size=5&key=key-of-ada`, sends: { tags: ['x'] } },
    ]);
    expect(context.masker.mask('key-of-ada')).not.toContain('key-of-ada');
  });

  test('allows statuses that its options allow', async () => {
    expectExchanges([{ asks: '', status: 404, replies: { count: 0 } }]);
    const properties = { apiKey: 'k', folder: 'a', options: { allowedResponseCodes: [404] } };
    expect(await runType(task, properties, aServiceContext())).toEqual({ count: 0 });
  });

  test('has an example that is a whole flow', () => {
    expect(task.examples[0]?.code).toBe(`id: example_things_create
namespace: company.team

tasks:
  - id: create
    type: example.things.Create
    folder: a
    tags:
      - x
    apiKey: "{{ secret('KEY') }}"
`);
  });
});
