import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

type Listed = { group: string; subGroup?: string; tasks: { cls: string; deprecated: boolean }[] };

describe.each(databases)('what the server tells about types (api 7.2) on $name', (database) => {
  const shared = sharedServer(database);
  const get = (path: string) => shared().call('GET', `/plugins${path}`);

  it('[S2-7o.2] lists the plugins with the types of each, as objects', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    const list = body as unknown as Listed[];
    const core = list.find(({ group }) => group === 'core');
    expect(core?.tasks).toContainEqual({ cls: 'core.log.Log', deprecated: false });
    expect(core).toMatchObject({
      triggers: expect.any(Array),
      charts: expect.any(Array),
      secrets: [],
      guides: [],
    });
    expect(list.every(({ subGroup }) => subGroup === undefined)).toBe(true);
    expect(core).toMatchObject({
      manifest: {
        'X-Kestra-Name': 'core',
        'X-Kestra-Title': (core as unknown as { title: string }).title,
        'X-Kestra-Group': 'core',
        'X-Kestra-Version': expect.any(String),
      },
    });
  });

  it('[S2-7o.2] lists the parts of each plugin, and leaves out what is deprecated when asked', async () => {
    const parts = (await get('/groups/subgroups')).body as unknown as Listed[];
    const flow = parts.find(({ subGroup }) => subGroup === 'core.flow');
    expect(flow?.tasks.map(({ cls }) => cls)).toContain('core.flow.ForEach');
    expect(flow?.tasks.some(({ deprecated }) => deprecated)).toBe(true);
    const current = (await get('/groups/subgroups?includeDeprecated=false')).body as unknown as Listed[];
    expect(current.flatMap(({ tasks }) => tasks).some(({ deprecated }) => deprecated)).toBe(false);
  });

  it('[S2-7o.4] shows the icons of types, also under their older names, and of groups', async () => {
    const { body, headers } = await get('/icons');
    expect(body).toMatchObject({
      'core.log.Log': { name: 'Log', flowable: false },
      'io.kestra.plugin.core.log.Log': { name: 'Log' },
      'core.flow.Parallel': { flowable: true },
    });
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const { drawings, types } = (await get('/icons/types')).body as {
      drawings: string[];
      types: Record<string, number>;
    };
    expect(body['core.log.Log']).toMatchObject({ icon: drawings[types['core.log.Log'] ?? -1] });
    expect(new Set(drawings).size).toBe(drawings.length);
    expect((await get('/icons/groups')).body).toMatchObject({
      core: { name: 'plugin-icon', flowable: false },
      'core.flow': { icon: expect.any(String) },
    });
  });

  it('[S2-7o.5] documents the types of inputs', async () => {
    const types = (await get('/inputs')).body as unknown as { type: string; cls: string }[];
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['STRING', 'SELECT', 'FILE', 'EMAIL', 'BOOLEAN']),
    );
    expect(types).toHaveLength(18);
    expect((await get('/inputs/bool')).body).toMatchObject({ markdown: expect.stringContaining('BOOLEAN') });
    const { body } = await get('/inputs/select');
    expect(body).toMatchObject({ schema: { properties: { properties: { values: expect.anything() } } } });
    expect(body).not.toHaveProperty('schema.outputs');
    expect((await get('/inputs/NOPE')).status).toBe(422);
  });

  it.each(['flow', 'template', 'task', 'trigger', 'plugindefault', 'dashboard'])(
    '[S2-7o.6] gives the editor the schema of a %s, and of a list of them',
    async (kind) => {
      const { status, body } = await get(`/schemas/${kind.toUpperCase()}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: expect.stringMatching(/^#\/definitions\//),
      });
      const name = String(body.$ref).replace('#/definitions/', '');
      expect(body.definitions).toHaveProperty([name]);
      const list = (await get(`/schemas/${kind}?arrayOf=true`)).body;
      expect(list).toMatchObject({ type: 'array', items: { $ref: body.$ref } });
    },
  );

  it('[S2-7o.6] gives the editor an outline that names all types, and the schemas of single types', async () => {
    const outline = (await get('/schemas/flow?outline=true')).body;
    expect(outline).toHaveProperty('definitions.Task.properties.type.anyOf.0.enum');
    expect(outline).not.toHaveProperty(['definitions', 'core.log.Log']);
    const types = 'io.kestra.plugin.core.log.Log,core.trigger.Schedule,no.such.Type';
    expect((await get(`/type-schemas?types=${types}`)).body).toMatchObject([
      { type: 'core.log.Log', place: 'Task', schema: { properties: { message: expect.anything() } } },
      {
        type: 'core.trigger.Schedule',
        place: 'Trigger',
        names: expect.arrayContaining(['core.trigger.Schedule']),
      },
    ]);
  });

  it('[S2-7o.6] refuses a schema that does not exist, and knows what all tasks have in common', async () => {
    expect((await get('/schemas/nope')).status).toBe(422);
    expect((await get('/properties/TASK')).body).toMatchObject({ properties: { retry: expect.anything() } });
    expect((await get('/properties/flow')).status).toBe(422);
  });

  it('[S2-7o.3] documents a type in its one version', async () => {
    const { body } = await get('/io.kestra.plugin.core.log.Log?cls=x&commit=y');
    expect(body).toMatchObject({
      markdown: expect.stringContaining('core.log.Log'),
      schema: { properties: { properties: { message: expect.anything() } } },
    });
    expect(body).not.toHaveProperty('schema.properties.properties.retry');
    expect((await get('/core.log.Log?all=true')).body).toHaveProperty('schema.properties.properties.retry');
    const versions = (await get('/core.log.Log/versions')).body;
    expect(versions).toEqual({ type: 'core.log.Log', versions: [shared().product.version] });
    expect((await get('/core.log.Log/versions/0.0.1')).body).toEqual((await get('/core.log.Log')).body);
    expect((await get('/no.Such')).status).toBe(404);
    expect((await get('/no.Such/versions')).body).toEqual({ type: 'no.Such', versions: [] });
  });
});
