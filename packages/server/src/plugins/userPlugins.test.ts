import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { silentLog } from '../testing/silentLog.ts';
import { openCatalogue } from './openCatalogue.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(
  join(folder, 'acme.mjs'),
  `export default ({ defineTask, defineRunner, z, text, integer }) => [
    defineTask({
      type: 'acme.Greet',
      title: 'Greet',
      aliases: ['acme.Hello'],
      input: z.object({ name: text(), times: integer({ min: 1 }).default(1) }),
      output: z.object({ greeting: z.string() }),
      run: async (context, { name, times }) => {
        await context.log('INFO', 'greeting ' + name);
        return { greeting: Array(times).fill('Hello ' + name).join(', ') };
      },
    }),
    defineRunner({
      type: 'acme.Loud',
      title: 'Says what it runs',
      run: async (context, _, job) => {
        await context.log('INFO', 'run by acme');
        return context.spawn({ ...job, signal: context.signal });
      },
    }),
  ];`,
);
const template = fileURLToPath(new URL('../../../../content/plugin-template', import.meta.url));
cpSync(template, join(folder, 'template'), { recursive: true });
for (const file of ['greet.js', 'newFile.js', 'countdown.js']) {
  const code = readFileSync(join(template, file), 'utf8');
  writeFileSync(join(folder, 'template', file), code.replaceAll('acme.', 'template.'));
}
writeFileSync(join(folder, 'broken.mjs'), 'export default ({');

describe.each(databases)('plugins of one’s own on $name', (database) => {
  const server = sharedServer(database, { settings: { plugins: { folder } } });

  test('run in flows like those of the product', async () => {
    const id = anId();
    const task = (name: string, rest: string) => `  - id: ${name}\n    type: acme.${rest}\n    name: you\n`;
    await server().saveFlow(
      aFlow(id, `tasks:\n${task('a', 'Greet\n    times: "{{ 1 + 1 }}"')}${task('b', 'Hello')}`),
    );
    const execution = await server().run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    expect(taskRunsOf(execution).map(({ outputs }) => outputs)).toEqual([
      { greeting: 'Hello you, Hello you' },
      { greeting: 'Hello you' },
    ]);
  });

  test('bring task runners for script tasks', async () => {
    const id = anId();
    const task = `tasks:\n  - id: a\n    type: scripts.shell.Commands\n    taskRunner: { type: acme.Loud }\n    commands: [echo hi]\n`;
    await server().saveFlow(aFlow(id, task));
    const execution = await server().run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    const { body } = await server().call('GET', `/logs/${String(execution.id)}`);
    expect(JSON.stringify(body)).toContain('run by acme');
  });

  test('[template] bring triggers that look and that listen', async () => {
    const [counting, looking] = [anId(), anId()];
    const inbox = join(folder, `.inbox-${looking}`);
    mkdirSync(inbox);
    const trigger = (rest: string) => `triggers:\n  - id: t\n    type: template.${rest}\n`;
    await server().saveFlow(aFlow(counting, trigger('Countdown\n    from: 3\n    every: PT0.01S')));
    await server().saveFlow(aFlow(looking, trigger(`NewFile\n    folder: ${inbox}\n    interval: PT0.1S`)));
    writeFileSync(join(inbox, 'a.txt'), '');
    const found = async (flowId: string) => {
      const { body } = await server().call('GET', `/executions/search?flowId=${flowId}&size=10`);
      return (body.results as { trigger: { variables: unknown } }[]).map(({ trigger }) => trigger.variables);
    };
    await vi.waitFor(async () => expect(await found(counting)).toHaveLength(3), 10_000);
    await vi.waitFor(
      async () => expect(await found(looking)).toEqual([{ files: [join(inbox, 'a.txt')] }]),
      10_000,
    );
  });

  test('are checked when a flow is saved', async () => {
    const source = aFlow(anId(), 'tasks:\n  - id: a\n    type: acme.Greet\n    nme: you\n');
    const { status, body } = await server().call('POST', '/flows', {
      headers: { 'content-type': 'application/x-yaml' },
      payload: source,
    });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('nme');
  });

  test('[A44] a broken one is listed with its error', async () => {
    const { body } = await server().call('GET', '/plugins');
    const listed = body as unknown as { name: string; version: string; error?: string }[];
    expect(listed.find(({ name }) => name === 'broken')?.error).toContain('SyntaxError');
    expect(listed.find(({ name }) => name === 'template')).toMatchObject({ version: '1.0.0' });
    const versions = await server().call('GET', '/plugins/template.Greet/versions');
    expect(versions.body).toEqual({ type: 'template.Greet', versions: ['1.0.0'] });
  });

  test('are on the page of all types, like those of the product', async () => {
    const docs = await server().product.content.docs();
    const page = docs.find(({ path }) => path === 'build/types');
    for (const type of ['template.Greet', 'core.log.Log', 'scripts.shell.ScriptTrigger']) {
      expect(page?.content).toContain(`### ${type}\n`);
    }
    expect(page?.content).toContain('The plugin **broken** could not be loaded');
  });
});

test('[A44] a folder that is not there is said in the log and does not keep the server from starting', async () => {
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const log = { ...silentLog, debug: say, info: say, warn: say, error: say };
  const config = { folder: join(folder, 'missing'), loadTimeoutMs: 1000, configurations: [] };
  const catalogue = await openCatalogue(config, log);
  expect(said).toEqual(['The folder of plugins cannot be read.']);
  expect(catalogue.find('core.log.Log')).toBeDefined();
});
