import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chart } from '@millrace/contract';
import { coreFamily } from '@millrace/plugin-core';
import { loadedFamily } from '@millrace/plugin-kit';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Config } from '../config/schema.ts';
import { openStorage } from '../files/openStorage.ts';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, sharedServer, stateOf, taskRunsOf, yaml } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { silentLog } from '../testing/silentLog.ts';
import { openCatalogue } from './openCatalogue.ts';

const families = [loadedFamily(coreFamily)];

const folder = mkdtempSync(join(tmpdir(), 'plugins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(
  join(folder, 'acme.mjs'),
  `export default ({ defineTask, defineCondition, defineRunner, z, text, integer }) => [
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
    defineCondition({
      type: 'acme.LengthBetween',
      title: 'A text of some length',
      input: z.object({ text: text(), low: integer(), high: integer() }),
      test(context, input) {
        if (input.text === '') throw new Error('nothing to measure');
        return input.text.length >= input.low && input.text.length <= input.high;
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
for (const file of readdirSync(template).filter((name) => name.endsWith('.js'))) {
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
    await vi.waitFor(async () => expect(await found(counting)).toHaveLength(3), 60_000);
    await vi.waitFor(
      async () => expect(await found(looking)).toEqual([{ files: [join(inbox, 'a.txt')] }]),
      60_000,
    );
  });

  test('[template] bring conditions, for schedules, webhooks and flow triggers alike', async () => {
    const [hook, after] = [anId(), anId()];
    const log = 'tasks:\n  - {id: t, type: core.log.Log, message: x}\n';
    const only = (low: string, high: string) =>
      `conditions:\n      - {type: acme.LengthBetween, text: "${'{{ trigger.body.text ?? trigger.flowId }}'}", low: ${low}, high: ${high}}\n`;
    await server().saveFlow(
      aFlow(
        hook,
        `${log}triggers:\n  - id: h\n    type: core.trigger.Webhook\n    key: the-key-of-it\n    ${only('2', '3')}`,
      ),
    );
    const call = (text: unknown) =>
      server().call('POST', `/executions/webhook/company.team/${hook}/the-key-of-it`, {
        payload: JSON.stringify({ text }),
        headers: { 'content-type': 'application/json' },
      });
    expect((await call('ab')).status).toBe(200);
    expect((await call('abcd')).status).toBe(204);
    const failed = await call('');
    expect([failed.status, JSON.stringify(failed.body)]).toEqual([
      422,
      expect.stringContaining('nothing to measure'),
    ]);

    await server().saveFlow(
      aFlow(
        after,
        `${log}triggers:\n  - id: f\n    type: core.trigger.Flow\n    conditions:\n      - {type: core.condition.ExecutionFlow, namespace: company.team, flowId: ${hook}}\n      - type: core.condition.Not\n        conditions: [{type: acme.LengthBetween, text: "x", low: 5, high: 9}]\n`,
      ),
    );
    await call('abc');
    await vi.waitFor(async () => {
      const { body } = await server().call('GET', `/executions/search?flowId=${after}`);
      expect(body.total).toBe(1);
    }, 60_000);

    const [holds, never] = [anId(), anId()];
    const schedule = (id: string, low: number) =>
      aFlow(
        id,
        `${log}triggers:\n  - {id: s, type: core.trigger.Schedule, cron: "* * * * * *", withSeconds: true, conditions: [{type: acme.LengthBetween, text: "{{ trigger.date }}", low: ${low}, high: 99}]}\n`,
      );
    await server().saveFlow(schedule(never, 98));
    await server().saveFlow(schedule(holds, 10));
    const fired = async (flowId: string) =>
      (await server().call('GET', `/executions/search?flowId=${flowId}`)).body.total;
    await vi.waitFor(async () => expect(await fired(holds)).toBeGreaterThan(0), 60_000);
    expect(await fired(never)).toBe(0);
    for (const id of [holds, never]) await server().call('DELETE', `/flows/company.team/${id}`);
  });

  test('[template] bring log exporters and task runners', async () => {
    const id = anId();
    const path = join(folder, `.log-${id}`);
    await server().saveFlow(
      aFlow(
        id,
        `tasks:
  - {id: say, type: core.log.Log, message: "for the exporter"}
  - {id: nice, type: scripts.shell.Commands, taskRunner: {type: template.Politely, niceness: 7}, commands: ['echo "::{\\"outputs\\":{\\"n\\":$(nice)}}::"']}
`,
      ),
    );
    const execution = await server().run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    expect(taskRunsOf(execution)[1]?.outputs).toMatchObject({ vars: { n: expect.any(Number) } });
    expect(JSON.stringify(taskRunsOf(execution)[1]?.outputs)).toMatch(/"n":(7|8|9|1\d)/);
    const ship = anId();
    await server().saveFlow(
      aFlow(
        ship,
        `tasks:\n  - {id: ship, type: core.log.LogShipper, namespace: company.team, offsetKey: ${ship}, logExporters: [{id: file, type: template.AppendToFile, path: "${path}"}]}\n`,
      ),
    );
    await vi.waitFor(
      async () => {
        expect(stateOf(await server().run(ship))).toBe('SUCCESS');
        expect(readFileSync(path, 'utf8')).toContain('for the exporter');
      },
      { timeout: 60_000, interval: 500 },
    );
  });

  test('[template] bring charts and data for them', async () => {
    const data = join(folder, `.data-${anId()}`);
    mkdirSync(data);
    for (const [name, size] of [
      ['a.txt', 3],
      ['b.txt', 30],
      ['c.log', 5],
    ] as const)
      writeFileSync(join(data, name), 'x'.repeat(size));
    const columns = 'name: {field: NAME}\n        bytes: {field: SIZE, agg: SUM}';
    const source = `title: Disk
charts:
  - id: ranking
    type: template.Ranking
    chartOptions: {displayName: Sizes, by: name, look: SLICES}
    data:
      type: template.FolderSizes
      folder: ${data}
      columns:
        ${columns}
      where: [{field: NAME, type: ENDS_WITH, value: .txt}]
      orderBy: [{column: bytes, order: DESC}]
`;
    const saved = await server().call('POST', '/dashboards', yaml(source));
    expect([saved.status, saved.body.message]).toEqual([200, undefined]);
    const [chart] = saved.body.charts as Chart[];
    expect(chart?.type).toBe('template.Ranking');
    // Clients read the field by the contract, which lets a chart have any other field too.
    expect(Chart.shape.chartToDraw.parse(chart?.chartToDraw)).toEqual({
      type: 'core.dashboard.chart.Pie',
      chartOptions: { displayName: 'Sizes', colorByColumn: 'name' },
    });
    const rows = await server().call('POST', `/dashboards/${String(saved.body.id)}/charts/ranking`, {
      payload: {},
    });
    expect(rows.body).toEqual({
      results: [
        { name: 'b.txt', bytes: 30 },
        { name: 'a.txt', bytes: 3 },
      ],
      total: 2,
    });
    // Columns that the drawing chart cannot show are refused when the dashboard is saved.
    const wrong = await server().call('POST', '/dashboards', yaml(source.replace('by: name', 'by: nobody')));
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
      422,
      expect.stringContaining('none of the columns'),
    ]);
    const unknown = await server().call(
      'POST',
      '/dashboards',
      yaml(source.replace('field: SIZE', 'field: WEIGHT')),
    );
    expect(unknown.status).toBe(422);
  });

  test('[S2-9.8] are listed under their kinds', async () => {
    const { body } = await server().call('GET', '/plugins');
    const listed = (body as unknown as { name: string }[]).find(({ name }) => name === 'template');
    const cls = (name: string) => [{ cls: `template.${name}`, deprecated: false }];
    expect(listed).toMatchObject({
      conditions: cls('OfficeHours'),
      taskRunners: cls('Politely'),
      logExporters: cls('AppendToFile'),
      dataFilters: cls('FolderSizes'),
      charts: cls('Ranking'),
      storages: cls('Memory'),
      controllers: [],
    });
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
    const read = async (path: string) =>
      (await server().call('GET', path)).body as unknown as {
        name: string;
        version: string;
        error?: string;
      }[];
    const listed = await read('/plugins');
    for (const all of [listed, await read('/plugins/groups/subgroups')])
      expect(all.find(({ name }) => name === 'broken')?.error).toContain('SyntaxError');
    expect(listed.find(({ name }) => name === 'template')).toMatchObject({ version: '1.0.0' });
    const versions = await server().call('GET', '/plugins/template.Greet/versions');
    expect(versions.body).toEqual({ type: 'template.Greet', versions: ['1.0.0'] });
  });

  test('are on the page of all types, like those of the product', async () => {
    const docs = await server().product.content.docs();
    const page = docs.find(({ path }) => path === 'build/types');
    for (const type of ['template.Greet', 'core.log.Log', 'scripts.shell.ScriptTrigger']) {
      expect(page?.content).toContain(`- \`${type}\`: `);
    }
    expect(page?.content).toContain('The plugin **broken** could not be loaded');
  });
});

test('[template] a storage keeps the files of flows and namespaces', async () => {
  const storage = { type: 'template.Memory', settings: { maxBytes: 1_000 } };
  const server = await aServer(sqlite, { settings: { plugins: { folder }, storage } });
  const tasks = (content: string) =>
    `tasks:\n  - {id: w, type: core.storage.Write, content: "${content}"}\n  - {id: r, type: core.debug.Return, format: "{{ read(outputs.w.uri) }}"}\n  - {id: up, type: core.namespace.UploadFiles, filesMap: {dir/a.txt: "{{ outputs.w.uri }}"}}\n`;
  await server.saveFlow(aFlow('small', tasks('hello')));
  const execution = await server.run('small');
  expect([stateOf(execution), taskRunsOf(execution)[1]?.outputs]).toEqual(['SUCCESS', { value: 'hello' }]);
  const { body } = await server.call('GET', '/namespaces/company.team/files/directory?path=/dir');
  expect(body).toMatchObject([{ fileName: 'a.txt', type: 'File', size: 5 }]);
  expect(readdirSync(server.product.config.data)).not.toContain('storage');
  await server.saveFlow(aFlow('large', tasks('x'.repeat(2_000))));
  expect(stateOf(await server.run('large'))).toBe('FAILED');
});

test('a storage that is not there, or does not open, is said at the start', async () => {
  const catalogue = await openCatalogue(
    { folder, loadTimeoutMs: 10_000, configurations: [] },
    silentLog,
    families,
  );
  const start = (storage: object) =>
    openStorage(Config.parse({ storage, plugins: { folder } }), {}, catalogue);
  await expect(start({ type: 'template.Nothing' })).rejects.toThrow(
    'The storage "template.Nothing" is not there',
  );
  await expect(start({ type: 'template.Greet' })).rejects.toThrow(
    'The storage "template.Greet" is not there',
  );
  await expect(start({ type: 'template.Memory', settings: { maxBytes: 0 } })).rejects.toThrow(
    /cannot be opened.*maxBytes/,
  );
});

test('only the chosen families of the product can be used', async () => {
  const all = [coreFamily, scriptsFamily].map(loadedFamily);
  const open = (chosen: string[]) =>
    openCatalogue({ families: chosen, loadTimeoutMs: 1000, configurations: [] }, silentLog, all);
  expect((await open(['core'])).find('scripts.shell.Commands')).toBeUndefined();
  expect((await open(['scripts'])).find('core.log.Log')).toBeDefined();
  await expect(open(['script'])).rejects.toThrow(
    'plugins.families names "script", which is not a plugin family. There are core, scripts.',
  );
});

test('[A44] a folder that is not there is said in the log and does not keep the server from starting', async () => {
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const log = { ...silentLog, debug: say, info: say, warn: say, error: say };
  const config = { folder: join(folder, 'missing'), loadTimeoutMs: 1000, configurations: [] };
  const catalogue = await openCatalogue(config, log, families);
  expect(said).toEqual(['The folder of plugins cannot be read.']);
  expect(catalogue.find('core.log.Log')).toBeDefined();
});
