import {
  coloredGroups,
  documentInputType,
  documentType,
  listGroupIcons,
  listIcons,
  listInputTypes,
  listPlugins,
  listSubGroups,
} from '@millrace/plugin-kit';
import { expect, test } from 'vitest';
import { families } from './index.ts';
import { createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();

test('[S2-7o.3] the document of a type describes properties, outputs and examples', () => {
  const document = documentType(catalogue, 'core.debug.Return');
  expect(document?.schema.properties).toMatchObject({
    type: 'object',
    title: 'Render an expression and return the text',
    $examples: [{ lang: 'yaml', full: true }],
    $metrics: [{ name: 'length' }, { name: 'duration' }],
    properties: { format: { type: 'string', $dynamic: true, $required: false } },
  });
  expect(document?.schema.outputs).toMatchObject({ properties: { value: {} } });
  expect(document?.markdown).toContain('# Return');
});

test('[S2-7o.3] the text names what is inside a property, and says of outputs only what they are', () => {
  const text = documentType(catalogue, 'core.http.Request')?.markdown ?? '';
  expect(text).toContain(
    '* `options.timeout.readIdleTimeout` (duration, default `"PT5M"`): How long to wait for the next part of the answer.',
  );
  expect(text).toContain('* `options.auth.type` (string, required, one of `BASIC`, `BEARER`, `DIGEST`)');
  expect(text).toContain('### `code`\n\n* **Type:** number\n\n');
  expect(text.slice(text.indexOf('## Outputs'))).not.toContain('**Dynamic:**');
  const trigger = documentType(catalogue, 'core.trigger.Flow')?.markdown;
  expect(trigger).toContain('* `preconditions.where[].filters[].field` (string, required, one of');
  expect(documentType(catalogue, 'scripts.shell.Script')?.markdown).toContain('* **Type:** TaskRunner');
});

test('required properties come first and the common ones only when asked for', () => {
  const names = (all: boolean) =>
    Object.keys(documentType(catalogue, 'core.log.Log', all)?.schema.properties.properties as object);
  expect(names(false)).toEqual(['message', 'level']);
  expect(names(true).slice(0, 2)).toEqual(['id', 'message']);
  expect(names(true)).toContain('retry');
});

test('a dynamic number is the number or an expression', () => {
  const properties = documentType(catalogue, 'core.flow.Parallel')?.schema.properties.properties;
  expect(properties).toMatchObject({
    concurrent: {
      oneOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', pattern: '.*{{.*}}.*' },
      ],
      default: 0,
    },
  });
});

test('an older name says what replaces it', () => {
  const document = documentType(catalogue, 'io.kestra.core.tasks.log.Log');
  expect(document?.markdown).toContain(
    '> `io.kestra.core.tasks.log.Log` is an older name of `core.log.Log`.',
  );
});

test('an unknown type has no document', () => {
  expect(documentType(catalogue, 'core.log.Nothing')).toBeUndefined();
  expect(documentInputType('NOTHING')).toBeUndefined();
});

test('[S2-7o.5] input types are listed and documented', () => {
  for (const { type } of listInputTypes())
    expect(documentInputType(type)?.schema.properties).toHaveProperty('properties');
  expect(documentInputType('select')?.schema.properties.properties).toHaveProperty('values');
});

test('[S2-7o.2] [S2-9.8] plugins are listed with every kind', () => {
  const [core, scripts] = listPlugins(catalogue, '1.0.0');
  expect(core).toMatchObject({
    name: 'core',
    group: 'core',
    title: 'Core',
    categories: ['CORE'],
    version: '1.0.0',
  });
  for (const kind of [
    'tasks',
    'triggers',
    'conditions',
    'taskRunners',
    'charts',
    'dataFilters',
    'aliases',
  ] as const) {
    expect(core?.[kind].length, kind).toBeGreaterThan(0);
  }
  expect(core?.controllers).toEqual([]);
  expect(scripts?.tasks).toContainEqual({ cls: 'scripts.shell.Script', deprecated: false });
});

test('every plugin and sub-group has a title, a sentence and a known category', () => {
  const known = new Set(
    'AI ALERTING BUSINESS CLOUD CORE DATA DATABASE DEVELOPMENT INFRASTRUCTURE MESSAGING SCRIPT STORAGE'.split(
      ' ',
    ),
  );
  for (const { group, title, description, categories } of families.flatMap(({ groups }) => groups)) {
    expect(title, group).toMatch(/^\S(.*[^.])?$/);
    expect(description, group).toMatch(/^[A-Z].*\.$/);
    expect(
      categories.filter((category) => !known.has(category)),
      group,
    ).toEqual([]);
  }
});

test('sub-groups follow their plugin and hold only their own types', () => {
  const listed = listSubGroups(catalogue, '1.0.0', false);
  expect(listed[0]).not.toHaveProperty('subGroup');
  const debug = listed.find(({ subGroup }) => subGroup === 'core.debug');
  expect(debug).toMatchObject({ group: 'core', title: 'Debugging', tasks: [{ cls: 'core.debug.Return' }] });
});

test('[S2-7o.4] every type and group has an icon, under every name', () => {
  const icons = listIcons(catalogue);
  for (const { type, aliases = [] } of catalogue.list()) {
    for (const name of [type, `io.kestra.plugin.${type}`, ...aliases])
      expect(icons, name).toHaveProperty([name]);
  }
  const svg = Buffer.from(icons['core.flow.If']?.icon ?? '', 'base64').toString();
  expect(svg).toMatch(/^<svg .*<\/svg>$/);
  expect(icons['core.flow.If']?.flowable).toBe(true);
  expect(icons['core.flow.Sleep']?.flowable).toBe(false);
  expect(listGroupIcons(catalogue)['scripts.python']?.name).toBe('plugin-icon');
});

test('every icon is a tile in the color of its group, and every color belongs to a group', () => {
  for (const [name, { icon }] of Object.entries(listGroupIcons(catalogue)))
    expect(Buffer.from(icon, 'base64').toString(), name).toMatch(/<rect [^>]*fill="#[0-9a-f]{6}"/);
  const groups = new Set(families.flatMap((family) => family.groups.map(({ group }) => group)));
  expect(coloredGroups.filter((name) => !groups.has(name))).toEqual([]);
});
