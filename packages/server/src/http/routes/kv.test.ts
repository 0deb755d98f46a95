import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

let last = 0;
const aNamespace = () => `kv.n${++last}`;
const text = (payload: string, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'text/plain', ...headers },
  payload,
});

describe.each(databases)('the key-value store on $name', (database) => {
  let now = Date.UTC(2026, 0, 1);
  const server = sharedServer(database, { clock: () => now });
  const put = (namespace: string, key: string, payload: string, headers?: Record<string, string>) =>
    server().call('PUT', `/namespaces/${namespace}/kv/${key}`, text(payload, headers));
  const get = (namespace: string, key: string) => server().call('GET', `/namespaces/${namespace}/kv/${key}`);
  const keys = async (path: string) =>
    ((await server().call('GET', path)).body as unknown as { key: string }[]).map(({ key }) => key);

  it.each([
    ['"text"', 'STRING', 'text'],
    ['v1', 'STRING', 'v1'],
    ['to-delete it', 'STRING', 'to-delete it'],
    ['007 Bond', 'STRING', '007 Bond'],
    ['42', 'NUMBER', 42],
    ['-4.2', 'NUMBER', -4.2],
    ['true', 'BOOLEAN', true],
    ['2025-10-14T18:02:08.000Z', 'DATETIME', '2025-10-14T18:02:08Z'],
    ['2025-10-14T18:02:08.120Z', 'DATETIME', '2025-10-14T18:02:08.12Z'],
    ['2025-10-14T18:02:08+02:00', 'DATETIME', '2025-10-14T16:02:08Z'],
    ['2025-10-13', 'DATE', '2025-10-13'],
    ['2025-02-30', 'STRING', '2025-02-30'],
    ['"PT15M"', 'DURATION', 'PT15M'],
    ['P1DT2H', 'DURATION', 'P1DT2H'],
    ['P', 'STRING', 'P'],
    ['{"a": [1, {"b": null}]}', 'JSON', { a: [1, { b: null }] }],
    ['[]', 'JSON', []],
    ['null', 'STRING', undefined],
  ])('[S2-7n.3] reads %s as %s', async (payload, type, value) => {
    const namespace = aNamespace();
    expect((await put(namespace, 'k', payload)).status).toBe(200);
    const { status, body } = await get(namespace, 'k');
    expect([status, body.type, body.value]).toEqual([200, type, value]);
  });

  it.each([
    ['{"a":', {}],
    ['"open', {}],
    ['[1]', { ttl: 'soon' }],
    ['[1]', { ttl: '-PT1H' }],
    [`${'['.repeat(300)}${']'.repeat(300)}`, {}],
  ])('[A11] refuses %s with %j', async (payload, headers) => {
    const namespace = aNamespace();
    expect((await put(namespace, 'k', payload, headers as Record<string, string>)).status).toBe(422);
    expect((await get(namespace, 'k')).status).toBe(404);
  });

  it.each(['.a', 'a b', '-x', 'a%2Fb', 'ä', 'x'.repeat(300)])('refuses the key %s', async (key) => {
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const { status, body } = await server().call(
        method,
        `/namespaces/${aNamespace()}/kv/${encodeURI(key)}`,
        {
          ...(method === 'PUT' ? text('1') : {}),
        },
      );
      expect(status, JSON.stringify(body)).toBe(422);
    }
  });

  it('[A11] keeps a polluting key out of every object', async () => {
    const namespace = aNamespace();
    await put(namespace, 'k', '{"__proto__": {"polluted": true}, "constructor": 1}');
    expect((await get(namespace, 'k')).body.value).toEqual({ constructor: 1 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('[S2-7n.2] [S2-7n.4] lists without values, deletes one and many, and says what was there', async () => {
    const namespace = aNamespace();
    for (const key of ['b', 'a', 'c']) await put(namespace, key, '1', { description: `about ${key}` });
    await put(namespace, 'a', '2');
    const { body } = await server().call('GET', `/namespaces/${namespace}/kv`);
    expect(body).toMatchObject([
      { namespace, key: 'a', version: 2, creationDate: '2026-01-01T00:00:00.000Z' },
      { key: 'b', description: 'about b' },
      { key: 'c' },
    ]);
    expect(JSON.stringify(body)).not.toContain('value');
    const remove = await server().call('DELETE', `/namespaces/${namespace}/kv/a`);
    expect([remove.status, remove.body]).toEqual([200, true]);
    expect((await server().call('DELETE', `/namespaces/${namespace}/kv/a`)).body).toBe(false);
    const many = await server().call('DELETE', `/namespaces/${namespace}/kv`, {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ keys: ['b', 'x', 'c', 'c'] }),
    });
    expect(many.body).toEqual({ keys: ['b', 'c'] });
    expect(await keys(`/namespaces/${namespace}/kv`)).toEqual([]);
  });

  it('hides what has expired, says 410 once and then 404', async () => {
    const namespace = aNamespace();
    await put(namespace, 'k', '1', { ttl: 'PT1M' });
    expect((await server().call('GET', `/namespaces/${namespace}/kv`)).body).toMatchObject([
      { expirationDate: new Date(now + 60_000).toISOString() },
    ]);
    now += 60_000;
    expect(await keys(`/namespaces/${namespace}/kv`)).toEqual([]);
    const gone = await get(namespace, 'k');
    expect([gone.status, gone.body.message]).toEqual([410, expect.stringMatching(/^Resource has expired/)]);
    expect((await get(namespace, 'k')).status).toBe(404);
  });

  it('shows what is inherited: the nearest of each key, without the own ones', async () => {
    const root = `kvroot${++last}`;
    await put(root, 'a', '1');
    await put(root, 'b', '1');
    await put(`${root}.mid`, 'b', '2');
    await put(`${root}.mid.leaf`, 'c', '3');
    const { body } = await server().call('GET', `/namespaces/${root}.mid.leaf/kv/inheritance`);
    expect(
      (body as unknown as { namespace: string; key: string }[]).map((e) => [e.namespace, e.key]),
    ).toEqual([
      [root, 'a'],
      [`${root}.mid`, 'b'],
    ]);
    expect(await keys(`/namespaces/${root}/kv/inheritance`)).toEqual([]);
  });

  it('[S1-2.1.15] lists the entries of all namespaces by page and filter', async () => {
    const root = `kvall${++last}`;
    await put(`${root}.x`, 'first', '1');
    await put(`${root}.y`, 'second', '1');
    const list = async (query: string) => {
      const { status, body } = await server().call('GET', `/kv?${query}`);
      return status === 200 ? [body.total, (body.results as { key: string }[]).map((e) => e.key)] : status;
    };
    expect(await list(`filters[namespace][STARTS_WITH]=${root}`)).toEqual([2, ['first', 'second']]);
    expect(await list(`namespace=${root}&sort=key:desc&size=1`)).toEqual([2, ['second']]);
    expect(await list(`filters[q][EQUALS]=sec&namespace=${root}`)).toEqual([1, ['second']]);
    expect(await list('filters[nonsense][EQUALS]=1')).toBe(422);
    expect(await list('sort=value:asc')).toBe(422);
  });

  it('refuses to write into something that is no namespace', async () => {
    for (const namespace of ['UPPER', 'a..b', 'a%2Fb', '.a']) {
      expect((await put(namespace, 'k', '1')).status).toBe(422);
    }
  });
});
