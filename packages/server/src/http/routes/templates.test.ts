import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { file, unzip, zip } from '../../testing/archives.ts';
import { anId, aServer, sharedServer, stateOf, taskRunsOf, yaml } from '../../testing/aServer.ts';
import { databases, sqlite } from '../../testing/databases.ts';

const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});
const aTemplate = (namespace: string, id: string, message = 'x') => ({
  id,
  namespace,
  description: 'why',
  tasks: [{ id: 'a', type: 'core.log.Log', message }],
});
const source = (namespace: string, id: string) =>
  `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - id: a\n    type: core.log.Log\n    message: x\n`;

describe.each(databases)('templates on $name', (database) => {
  const server = sharedServer(database);
  const create = (body: unknown) => server().call('POST', '/templates', json(body));
  let last = 0;
  const aNamespace = () => `tpl.n${++last}`;

  it('[S2-7o.12] creates, reads, changes, finds and deletes one', async () => {
    const [namespace, id] = [aNamespace(), anId()];
    const template = aTemplate(namespace, id);
    expect(await create(template)).toMatchObject({ status: 200, body: { ...template, deleted: false } });
    expect((await create(template)).status).toBe(422);
    const at = `/templates/${namespace}/${id}`;
    const change = { ...template, tasks: [{ id: 'b', type: 'core.log.Log', message: 'y' }], deleted: false };
    expect((await server().call('PUT', at, json(change))).body.tasks).toEqual(change.tasks);
    expect((await server().call('PUT', at, json({ ...template, id: 'other' }))).status).toBe(422);
    expect((await server().call('PUT', `${at}x`, json({ ...template, id: `${id}x` }))).status).toBe(404);
    expect((await server().call('PUT', at, yaml(source(namespace, id)))).status).toBe(200);
    expect((await server().call('GET', at)).body).toEqual({
      tenantId: 'main',
      namespace,
      id,
      tasks: [{ id: 'a', type: 'core.log.Log', message: 'x' }],
      deleted: false,
    });
    const found = await server().call('GET', `/templates/search?namespace=${namespace}&q=${id}`);
    expect(found.body).toMatchObject({ total: 1, results: [{ id }] });
    expect((await server().call('DELETE', at)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await server().call(method, at)).status).toBe(404);
  });

  it.each([
    [{ tasks: [] }, 'at least one task'],
    [{ tasks: [{ id: 'a', type: 'core.Nothing' }] }, 'Invalid type: core.Nothing'],
    [{ triggers: [] }, 'triggers: is not a property of a template'],
    [{ id: 'a/b' }, 'id'],
    [{ namespace: '../up' }, 'namespace'],
  ])('refuses %j', async (wrong, message) => {
    const { status, body } = await create({ ...aTemplate('tpl', anId()), ...wrong });
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it('validates documents without saving them', async () => {
    const text = `${source('tpl', 'ok')}---\nid: bad\nnamespace: tpl\ninputs: []\n`;
    const { body } = await server().call('POST', '/templates/validate', yaml(text));
    expect(body).toMatchObject([
      { index: 0, flow: 'ok', namespace: 'tpl' },
      { index: 1, flow: 'bad', constraints: expect.stringContaining('inputs') },
    ]);
    expect((body as unknown as object[])[0]).not.toHaveProperty('constraints');
  });

  it('makes a list those of a namespace', async () => {
    const namespace = aNamespace();
    for (const id of ['old', 'kept']) await create(aTemplate(namespace, id));
    const post = (list: unknown, query = '') =>
      server().call('POST', `/templates/${namespace}${query}`, json(list));
    expect((await post([aTemplate('other', 'x')])).status).toBe(422);
    expect((await post([aTemplate(namespace, 'x'), aTemplate(namespace, 'x')])).status).toBe(422);
    const { body } = await post([aTemplate(namespace, 'kept', 'new'), aTemplate(namespace, 'more')]);
    expect((body as unknown as { id: string; deleted: boolean }[]).map((t) => [t.id, t.deleted])).toEqual([
      ['old', true],
      ['kept', false],
      ['more', false],
    ]);
    await post([aTemplate(namespace, 'last')], '?delete=false');
    const { body: page } = await server().call('GET', `/templates/search?namespace=${namespace}`);
    expect((page.results as { id: string }[]).map(({ id }) => id)).toEqual(['kept', 'last', 'more']);
  });

  it('goes out and in as an archive; a bad one brings nothing', async () => {
    const [here, there] = [aNamespace(), aNamespace()];
    await create(aTemplate(here, 'one'));
    await create(aTemplate(here, 'two'));
    const answer = await server().app.inject(`/api/v1/templates/export/by-query?namespace=${here}`);
    expect(answer.headers['content-disposition']).toContain('templates.zip');
    const entries = await unzip(answer.rawPayload);
    expect(Object.keys(entries)).toEqual([`${here}-one.yml`, `${here}-two.yml`]);
    const some = await server().call(
      'POST',
      '/templates/export/by-ids',
      json([{ namespace: here, id: 'nope' }]),
    );
    expect(some.status).toBe(404);
    const moved = Object.fromEntries(
      Object.entries(entries).map(([path, text]) => [path, text.replace(here, there)]),
    );
    const upload = async (files: Record<string, string>) =>
      (
        await server().call(
          'POST',
          '/templates/import',
          file('fileUpload', 'templates.zip', await zip(files)),
        )
      ).status;
    expect(await upload({ ...moved, 'bad.yml': 'id: x' })).toBe(422);
    expect((await server().call('GET', `/templates/${there}/one`)).status).toBe(404);
    expect(await upload(moved)).toBe(204);
    expect((await server().call('GET', `/templates/${there}/two`)).body).toMatchObject({
      description: 'why',
    });
  });

  it('deletes by list and by query, all or nothing', async () => {
    const namespace = aNamespace();
    for (const id of ['a', 'b', 'c']) await create(aTemplate(namespace, id));
    const remove = (ids: string[]) =>
      server().call('DELETE', '/templates/delete/by-ids', json(ids.map((id) => ({ namespace, id }))));
    expect((await remove(['a', 'nope'])).status).toBe(404);
    expect((await remove(['a'])).body).toEqual({ count: 1 });
    const rest = await server().call('DELETE', `/templates/delete/by-query?namespace=${namespace}`);
    expect(rest.body).toEqual({ count: 2 });
    expect((await server().call('DELETE', '/templates/delete/by-query?filters[x][EQUALS]=1')).status).toBe(
      422,
    );
  });

  it('[S2-1.4] runs in a flow, with its arguments, also after a restart and a change', async () => {
    const [namespace, id] = [aNamespace(), anId()];
    await create({
      ...aTemplate(namespace, id),
      tasks: [{ id: 'greet', type: 'core.debug.Return', format: 'Hello {{ parent.outputs.args.name }}' }],
    });
    await server().saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: t\n    type: core.flow.Template\n    namespace: ${namespace}\n    templateId: ${id}\n    args:\n      name: Ada`,
      ),
    );
    const greeting = async () => {
      const execution = await server().run(id);
      const run = taskRunsOf(execution).find(({ taskId }) => taskId === 'greet');
      return [stateOf(execution), (run?.outputs as { value?: string } | undefined)?.value];
    };
    expect(await greeting()).toEqual(['SUCCESS', 'Hello Ada']);
    await server().reopen();
    expect(await greeting()).toEqual(['SUCCESS', 'Hello Ada']);
    await server().call(
      'PUT',
      `/templates/${namespace}/${id}`,
      json({
        ...aTemplate(namespace, id),
        tasks: [{ id: 'greet', type: 'core.debug.Return', format: 'Bye' }],
      }),
    );
    expect(await greeting()).toEqual(['SUCCESS', 'Bye']);
    await server().call('DELETE', `/templates/${namespace}/${id}`);
    expect((await greeting())[0]).toBe('FAILED');
  });
});

describe('templates that are switched off', () => {
  it('have no address', async () => {
    const server = await aServer(sqlite, { settings: { templates: { enabled: false } } });
    expect((await server.call('GET', '/templates/search')).status).toBe(404);
    expect((await server.call('POST', '/templates', json(aTemplate('a', 'b')))).status).toBe(404);
    expect((await server.call('GET', '/configs')).body.isTemplateEnabled).toBe(false);
  });
});
