import { aPart, type Definition, defineTask, defineTrigger, duration } from '@millrace/plugin-kit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { file } from '../../testing/archives.ts';
import { aServer, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

/** The plugin that is installed later. */
const later: readonly Definition[] = [
  defineTask({
    type: 'acme.Later',
    title: 'Later',
    description: 'Later.',
    input: () => z.object({ anything: z.unknown() }),
    output: () => z.object({}),
    sideEffects: true,
    examples: [],
    run: () => ({}),
  }),
  defineTrigger({
    type: 'acme.LaterTrigger',
    role: 'polling',
    title: 'Later',
    description: 'Later.',
    input: () => z.object({ interval: duration() }),
    output: () => z.object({}),
    examples: [],
    poll: async () => undefined,
  }),
];

/** A task with a part that a plugin provides. */
const withPart = defineTask({
  type: 'test.WithPart',
  title: 'With a part',
  description: 'With a part.',
  input: () => z.object({ part: aPart('TestPart') }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [],
  run: () => ({}),
});

const source = `id: kept
namespace: company.team
tasks:
  - id: a
    type: io.kestra.plugin.acme.Later
    anything: [1, { x: y }]
triggers:
  - id: watch
    type: acme.LaterTrigger
    interval: PT1H
`;
const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});

describe.each(databases)('flows with unknown types on $name', (database) => {
  it('are kept disabled and marked, and can be enabled once the plugin is there', async () => {
    const definitions: Definition[] = [];
    const server = await aServer(database, { definitions });
    const upload = async (text: string, query = '') =>
      (await server.call('POST', `/flows/import${query}`, file('fileUpload', 'flows.yml', text))).body;
    const enable = () =>
      server.call('POST', '/flows/enable/by-ids', json([{ namespace: 'company.team', id: 'kept' }]));
    const list = async () =>
      (await server.call('GET', '/flows/search?size=50&page=1')).body.results as Record<string, unknown>[];

    expect(await upload(source)).toHaveLength(1);
    expect(await list()).toEqual([]);
    expect(await upload(source, '?keepUnknownTypes=true')).toEqual([]);
    expect(await list()).toMatchObject([
      { id: 'kept', revision: 1, disabled: true, unknownTypes: ['acme.Later', 'acme.LaterTrigger'] },
    ]);
    const read = (await server.call('GET', '/flows/company.team/kept?source=true')).body;
    expect(read.source).toBe(`${source}disabled: true\n`);
    expect(read.exception).toContain('Invalid type: io.kestra.plugin.acme.Later');

    // The same file again changes nothing.
    expect(await upload(source, '?keepUnknownTypes=true')).toEqual([]);
    expect(await list()).toMatchObject([{ revision: 1 }]);
    const started = await server.call('POST', '/executions/company.team/kept');
    expect(started.status).toBe(409);
    const refused = await enable();
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('no plugin provides acme.Later, acme.LaterTrigger');

    definitions.push(...later);
    await server.reopen();
    const [known] = await list();
    expect(known).toMatchObject({ id: 'kept', disabled: true });
    expect(known).not.toHaveProperty('unknownTypes');
    expect((await enable()).body).toEqual({ count: 1 });
    expect(await server.run('kept')).toMatchObject({ state: { current: 'SUCCESS' } });
  });

  it('are saved one by one and disabled in bulk, and other errors are still refused', async () => {
    const server = await aServer(database, { definitions: [withPart] });
    const save = (text: string, query: string) => server.call('POST', `/flows${query}`, yaml(text));
    expect((await save(source, '')).status).toBe(422);
    const broken = `${source}  - id: without_a_type\n`;
    expect((await save(broken, '?keepUnknownTypes=true')).status).toBe(422);
    const saved = (await save(source, '?keepUnknownTypes=true')).body;
    expect(saved).toMatchObject({ disabled: true, unknownTypes: ['acme.Later', 'acme.LaterTrigger'] });
    const part = `id: part\nnamespace: company.team\ntasks:\n  - id: a\n    type: test.WithPart\n    part: {type: acme.LaterPart}\n`;
    expect((await save(part, '?keepUnknownTypes=true')).body).toMatchObject({
      unknownTypes: ['acme.LaterPart'],
    });
    const change = `description: changed\n${source}`;
    const changed = await server.call('PUT', '/flows/company.team/kept?keepUnknownTypes=true', yaml(change));
    expect(changed.body).toMatchObject({ revision: 2, disabled: true });
  });
});
