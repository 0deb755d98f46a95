import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseFlow } from '@millrace/engine';
import {
  createCatalogue,
  documentType,
  flowSchema,
  type LoadedPlugin,
  listPlugins,
  loadedFamily,
  loadPlugins,
  versionOf,
} from '@millrace/plugin-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { families } from './index.ts';
import { allDefinitions } from './testing.ts';

const task = (type: string, more = '') =>
  `({ defineTask, z }) => [defineTask({ type: '${type}', title: 'T', run: () => ({}), ${more} })]`;

/** A file of the folder and the expected error; undefined when it must load. */
const cases: readonly [file: string, content: string, error?: RegExp][] = [
  ['good.mjs', `export default ${task('good.One')};`],
  ['common.js', `module.exports = ${task('common.One')};`],
  ['packaged/package.json', '{"name":"packaged","version":"2.1.0","license":"MIT","main":"main.mjs"}'],
  ['packaged/main.mjs', `export default ${task('packaged.One')};`],
  ['syntax.mjs', 'export default ({', /SyntaxError/],
  ['throws.mjs', 'throw new Error("no network here");', /no network here/],
  ['exits.mjs', 'process.exit(3);', /ended the process .* exit code 3/],
  ['kills.mjs', 'process.kill(process.pid, "SIGKILL");', /ended the process .* SIGKILL/],
  [
    'pollutes.mjs',
    `Object.prototype.isAdmin = true; export default ${task('p.One')};`,
    /Object\.prototype\.isAdmin/,
  ],
  ['replaces.mjs', `JSON.parse = () => 1; export default ${task('q.One')};`, /JSON\.parse/],
  ['globals.mjs', `globalThis.fetch = 1; export default ${task('r.One')};`, /It changes fetch/],
  ['no-default.mjs', 'export const x = 1;', /no default export/],
  ['nothing.mjs', 'export default () => [];', /defines no types/],
  ['raw.mjs', 'export default () => [{ type: "raw.One" }];', /not made by defineTask/],
  ['bad-name.mjs', `export default ${task('Nope')};`, /"Nope" is no name of a type/],
  ['bad-input.mjs', `export default ${task('bi.One', 'input: {}')};`, /input that is no z\.object/],
  [
    'bad-schema.mjs',
    `export default ${task('bs.One', 'input: z.object({ get x() { throw new Error("broken shape") } })')};`,
    /broken shape/,
  ],
  ['no-run.mjs', `export default ${task('nr.One', 'run: undefined')};`, /no function "run"/],
  ['no-title.mjs', `export default ${task('nt.One', 'title: ""')};`, /has no title/],
  [
    'role.mjs',
    'export default ({ defineTrigger }) => [defineTrigger({ type: "ro.One", title: "T", role: "schedule" })];',
    /role "schedule"/,
  ],
  [
    'no-test.mjs',
    'export default ({ defineCondition }) => [defineCondition({ type: "nc.One", title: "T" })];',
    /no function "test"/,
  ],
  [
    'no-fields.mjs',
    'export default ({ defineDataFilter }) => [defineDataFilter({ type: "nf.One", title: "T", rows: () => [] })];',
    /no list "fields"/,
  ],
  [
    'bad-date.mjs',
    'export default ({ defineDataFilter }) => [defineDataFilter({ type: "bd.One", title: "T", fields: ["A"], dates: ["B"], rows: () => [] })];',
    /"B" of the type "bd.One" is none of its fields/,
  ],
  ['core-clash.mjs', `export default ${task('core.log.Log')};`, /"core.log.Log" is taken/],
  ['core-root.mjs', `export default ${task('core.mine.One')};`, /begin with "core"/],
  [
    'alias-clash.mjs',
    `export default ${task('ac.One', "aliases: ['core.log.Log']")};`,
    /"core.log.Log" is taken/,
  ],
  ['z-second.mjs', `export default ${task('good.Two')};`, /begin with "good"/],
  [
    'two-roots.mjs',
    `export default (kit) => [...(${task('t1.A')})(kit), ...(${task('t2.A')})(kit)];`,
    /begin alike/,
  ],
  ['outside/package.json', '{"main":"../good.mjs"}', /outside of its folder/],
  ['empty/readme.txt', '', /no "index.mjs" or "index.js"/],
  ['bad-json/package.json', '{', /package\.json cannot be read/],
  ['.hidden.mjs', 'throw 1'],
  ['notes.txt', 'not a plugin'],
];

/** Plugins that load until the time limit ends them. */
const endless: typeof cases = [
  ['hangs.mjs', 'await new Promise(() => setInterval(() => {}, 1000));', /not loaded after/],
  ['spins.mjs', 'for (;;);', /not loaded after/],
  ['spins-later.mjs', 'export default () => { for (;;); };', /not loaded after/],
];

const folders: string[] = [];
let loaded: readonly LoadedPlugin[] = [];
const loadFiles = (files: typeof cases, timeoutMs: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-'));
  folders.push(folder);
  for (const [file, content] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return loadPlugins(folder, { timeoutMs, known: allDefinitions });
};
beforeAll(async () => {
  // The limit is short where each plugin reaches it: until then two of them keep a core busy.
  loaded = [...(await loadFiles(cases, 15_000)), ...(await loadFiles(endless, 1_500))];
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const nameOf = (file: string) => (file.includes('/') ? dirname(file) : file.replace(/\.m?js$/, ''));

describe('[A44] a broken plugin is named with its error', () => {
  test.each([...cases, ...endless].filter(([, , error]) => error))('%s', (file, _, error) => {
    const plugin = loaded.find(({ name }) => name === nameOf(file));
    expect(plugin?.error).toMatch(error ?? /never/);
    expect(plugin?.types).toEqual([]);
  });

  test('and harms neither the others nor the server', () => {
    const good = loaded.filter(({ error }) => error === undefined).map(({ name }) => name);
    expect(good).toEqual(['common', 'good', 'packaged']);
    expect('isAdmin' in {}).toBe(false);
    expect(JSON.parse('2')).toBe(2);
    expect(typeof fetch).toBe('function');
  });
});

describe('what was loaded', () => {
  const catalogue = () => createCatalogue([...families, ...loaded].map(loadedFamily), loaded);

  test('[S2-9.8] is listed with its version, the broken ones with their error', () => {
    const plugins = listPlugins(catalogue(), '9.9.9');
    expect(plugins.find(({ name }) => name === 'packaged')).toMatchObject({
      version: '2.1.0',
      license: 'MIT',
      tasks: [{ cls: 'packaged.One', deprecated: false }],
    });
    expect(plugins.find(({ name }) => name === 'syntax')).toMatchObject({
      tasks: [],
      error: expect.stringContaining('SyntaxError'),
    });
    expect(versionOf(catalogue(), 'packaged.One', '9.9.9')).toBe('2.1.0');
    expect(versionOf(catalogue(), 'io.kestra.plugin.core.log.Log', '9.9.9')).toBe('9.9.9');
  });

  test('has documentation, completion and validation from its one definition', async () => {
    const all = catalogue();
    expect(documentType(all, 'good.One')?.markdown).toContain('type: "good.One"');
    expect(JSON.stringify((await flowSchema(all, 'flow')).definitions)).toContain('"good.One"');
    const flow = 'id: f\nnamespace: a\ntasks:\n  - id: t\n    type: good.One\n    wrong: 1\n';
    expect(parseFlow(flow, all).issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('Unrecognized field "wrong"'),
    ]);
  });
});

test('[S2-9.8] the template has a type of every kind, and its examples can be saved', async () => {
  const template = fileURLToPath(new URL('../../../content/plugin-template', import.meta.url));
  const parent = mkdtempSync(join(tmpdir(), 'template-'));
  cpSync(template, join(parent, 'acme'), { recursive: true });
  const [plugin, ...others] = await loadPlugins(parent, { timeoutMs: 5_000, known: allDefinitions });
  rmSync(parent, { recursive: true, force: true });
  expect(others).toEqual([]);
  expect(plugin?.error).toBeUndefined();
  const catalogue = createCatalogue([...families, ...(plugin ? [plugin] : [])].map(loadedFamily));
  const kinds = new Set(plugin?.types.map(({ kind }) => kind));
  expect(kinds).toEqual(
    new Set(['task', 'trigger', 'condition', 'taskRunner', 'logExporter', 'dataFilter', 'chart', 'storage']),
  );
  for (const { kind, type, input, examples } of plugin?.types ?? []) {
    expect([type, examples.length]).toEqual([type, 1]);
    const [{ code } = { code: '' }] = examples;
    if (kind === 'storage') {
      expect(input.safeParse(parse(code).storage.settings).success).toBe(true);
    } else if (kind === 'chart' || kind === 'dataFilter') {
      for (const { id: _, type: chartType, ...chart } of parse(code).charts) {
        expect(catalogue.find(chartType)?.check(chart)).toEqual([]);
        const { type: dataType, ...data } = chart.data;
        expect(catalogue.find(dataType)?.check(data)).toEqual([]);
      }
    } else expect([type, parseFlow(code, catalogue).issues]).toEqual([type, []]);
  }
});
