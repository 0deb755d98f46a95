import { describe, expect, it } from 'vitest';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const env = {
  SECRET_DB_PASSWORD: Buffer.from('hunter2').toString('base64'),
  SECRET_api_key: Buffer.from('k').toString('base64'),
};
const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});

describe.each(databases)('namespaces on $name', (database) => {
  const server = sharedServer(database, { env });
  const save = (namespace: string, id: string, rest = '') =>
    server().saveFlow(
      `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - id: a\n    type: core.log.Log\n    message: x\n${rest}`,
    );

  it('[S2-7n.1] finds those that hold flows or values and those above, always with the one of the system', async () => {
    await save('find.flows.deep', anId());
    await server().call('PUT', '/namespaces/find.values/kv/k', { payload: '1' });
    const search = async (query: string) => {
      const { body } = await server().call('GET', `/namespaces/search?${query}`);
      return [body.total, (body.results as { id: string }[]).map(({ id }) => id)];
    };
    expect(await search('q=FIND')).toEqual([4, ['find', 'find.flows', 'find.flows.deep', 'find.values']]);
    expect(await search('q=find&sort=id:desc&size=1&page=2')).toEqual([4, ['find.flows.deep']]);
    expect(await search('q=find&page=9')).toEqual([4, []]);
    expect((await search(''))[1]).toContain('system');
    const { body } = await server().call('GET', '/namespaces/search?q=find.values');
    expect(body.results).toEqual([{ id: 'find.values', deleted: false, disabled: true }]);
    expect((await server().call('GET', '/namespaces/search?sort=disabled:asc')).status).toBe(422);
    const suggest = async (wish: unknown) =>
      (await server().call('POST', '/namespaces/autocomplete', json(wish))).body;
    expect(await suggest({ q: 'find.f' })).toEqual(['find.flows', 'find.flows.deep']);
    expect(await suggest({ q: 'find.f', ids: ['find.values'], existingOnly: true })).toEqual([
      'find.flows.deep',
      'find.values',
    ]);
  });

  it('[S2-7n.1] every name is a namespace', async () => {
    const { status, body } = await server().call('GET', '/namespaces/never.seen');
    expect([status, body]).toEqual([200, { id: 'never.seen', deleted: false }]);
  });

  it('[S2-7n.5] lists the names of secrets and never their values', async () => {
    const list = await server().call('GET', '/namespaces/any.where/secrets?size=1');
    expect(list.body).toEqual({ readOnly: true, results: [{ key: 'API_KEY' }], total: 2 });
    const found = await server().call('GET', '/namespaces/any.where/secrets?filters[q][EQUALS]=pass');
    expect(found.body).toEqual({ readOnly: true, results: [{ key: 'DB_PASSWORD' }], total: 1 });
    const inherited = await server().call('GET', '/namespaces/any.where/inherited-secrets');
    expect(inherited.body).toEqual({ 'any.where': ['API_KEY', 'DB_PASSWORD'] });
    for (const method of ['PUT', 'DELETE'] as const) {
      expect((await server().call(method, '/namespaces/any.where/secrets', json({}))).status).toBe(405);
    }
    expect(JSON.stringify([list.body, inherited.body])).not.toContain('hunter2');
  });

  it('[S2-7n.11] lists the namespaces of flows and of templates', async () => {
    await save('distinct.flows', anId());
    await server().call('POST', '/templates', json(aTemplate('distinct.templates', anId())));
    expect((await server().call('GET', '/flows/distinct-namespaces?q=distinct')).body).toEqual([
      'distinct.flows',
    ]);
    expect((await server().call('GET', '/templates/distinct-namespaces?q=distinct')).body).toEqual([
      'distinct.templates',
    ]);
  });

  it('shows how the flows of a namespace start each other', async () => {
    await save('deps.one', 'leaf');
    await save('deps.one', 'alone');
    await save(
      'deps.other',
      'caller',
      '  - {id: b, type: core.flow.Subflow, namespace: deps.one, flowId: leaf}\n',
    );
    await save(
      'deps.one',
      'lost',
      '  - {id: b, type: core.flow.Subflow, namespace: deps.one, flowId: unknown}\n',
    );
    const topology = async (query: string) => {
      const { body } = await server().call('GET', `/namespaces/deps.one/dependencies?${query}`);
      return {
        nodes: (body.nodes as { id: string }[]).map(({ id }) => id).sort(),
        edges: body.edges,
      };
    };
    const edges = [{ source: 'main_deps.other_caller', target: 'main_deps.one_leaf', relation: 'FLOW_TASK' }];
    expect(await topology('')).toEqual({ nodes: ['alone', 'caller', 'leaf', 'lost'], edges });
    expect(await topology('destinationOnly=true')).toEqual({
      nodes: ['alone', 'caller', 'leaf', 'lost'],
      edges,
    });
  });
});

const aTemplate = (namespace: string, id: string) => ({
  id,
  namespace,
  tasks: [{ id: 'a', type: 'core.log.Log', message: 'x' }],
});
