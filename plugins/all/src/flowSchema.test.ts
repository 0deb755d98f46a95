import type { JsonSchema } from '@millrace/plugin-kit';
import { flowOutline, flowSchema, schemaKinds, typeSchemas } from '@millrace/plugin-kit';
import { matches } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { allDefinitions, createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();
const schema = await flowSchema(catalogue, 'flow');
const dashboardSchema = await flowSchema(catalogue, 'dashboard');
const isFlow = (source: string) => matches(schema, parse(source));

test.each(schemaKinds)('[S2-7o.6] the %s schema points only at definitions it has', async (kind) => {
  const document = await flowSchema(catalogue, kind);
  const definitions = document.definitions as JsonSchema;
  const references = [...JSON.stringify(document).matchAll(/"#\/definitions\/([^"]+)"/g)];
  expect(references.filter(([, name]) => definitions[name as string] === undefined)).toEqual([]);
});

test('every current type is offered, once, in one list', () => {
  const current = allDefinitions
    .filter(({ kind, deprecated, isInner }) => kind === 'task' && !deprecated && !isInner)
    .map(({ type }) => type);
  expect(schema.definitions).toHaveProperty('Task.properties.type.anyOf.0.enum', current);
});

test('places for many types are if/then, never anyOf', () => {
  const definitions = schema.definitions as Record<string, JsonSchema>;
  for (const place of [
    'Task',
    'Trigger',
    'Condition',
    'TaskRunner',
    'Chart',
    'DataFilter',
    'Input',
    'Retry',
  ]) {
    expect(definitions[place]).not.toHaveProperty('anyOf');
    expect(definitions[place]).toHaveProperty('allOf.0.then');
  }
});

test('the outline and the types that a text uses see what the whole document sees', () => {
  const used = ['io.kestra.plugin.core.log.Log', 'core.flow.Sequential', 'no.such.Type', 'core.log.Log'];
  const found = typeSchemas(catalogue, used);
  expect(found.map(({ type }) => type)).toEqual(['core.log.Log', 'core.flow.Sequential']);
  const outline = flowOutline(catalogue, 'flow').definitions as Record<string, JsonSchema>;
  const whole = schema.definitions as Record<string, JsonSchema>;
  expect(outline.Task?.properties).toEqual(whole.Task?.properties);
  for (const { type, place, branch, schema: own } of found) {
    expect(own).toEqual(whole[type]);
    expect(whole[place]?.allOf).toContainEqual(branch);
  }
});

test('an array of tasks', async () => {
  expect(await flowSchema(catalogue, 'task', true)).toMatchObject({
    type: 'array',
    items: { $ref: '#/definitions/Task' },
  });
});

describe('the editor agrees with the examples', () => {
  const flows = allDefinitions
    .filter(({ type }) => !type.startsWith('core.dashboard.'))
    .filter(({ kind }) => kind !== 'storage')
    .flatMap(({ type, examples }) => examples.map(({ title, code }) => [type, title, code] as const));
  test.each(flows)('%s: %s', (_, __, code) => {
    expect(isFlow(code)).toEqual([]);
  });

  const dashboards = allDefinitions.filter(({ type }) => type.startsWith('core.dashboard.'));
  test.each(dashboards.map(({ type, examples }) => [type, examples[0]?.code ?? ''] as const))(
    '%s',
    (_, code) => {
      expect(matches(dashboardSchema, parse(code))).toEqual([]);
    },
  );
});

test.each([
  ['a missing property', 'tasks: [{ id: a, type: core.log.Log }]', 'message'],
  ['a missing list of children', 'tasks: [{ id: a, type: core.flow.Sequential }]', 'tasks'],
  ['an unknown property', 'tasks: [{ id: a, type: core.log.Log, message: x, mesage: y }]', 'mesage'],
  ['an unknown type', 'tasks: [{ id: a, type: core.log.Lag }]', 'type'],
  ['a wrong level', 'tasks: [{ id: a, type: core.log.Log, message: x, level: LOUD }]', 'level'],
  [
    'a wrong nested task',
    'tasks: [{ id: a, type: core.flow.Sequential, tasks: [{ id: b, type: core.debug.Echo }] }]',
    'format',
  ],
  [
    'a wrong retry',
    'tasks: [{ id: a, type: core.log.Log, message: x, retry: { type: constant } }]',
    'interval',
  ],
  [
    'a wrong condition',
    'tasks: [{ id: a, type: core.log.Log, message: x }]\ntriggers: [{ id: t, type: core.trigger.Schedule, cron: "* * * * *", conditions: [{ type: core.condition.DayWeek }] }]',
    'dayOfWeek',
  ],
  [
    'an input without the list it needs',
    'tasks: [{ id: a, type: core.log.Log, message: x }]\ninputs: [{ id: i, type: ARRAY }]',
    'itemType',
  ],
])('the editor sees %s', (_, source, word) => {
  expect(isFlow(`id: a\nnamespace: b\n${source}`).join()).toContain(word);
});

test.each([
  ['the older name', 'tasks: [{ id: a, type: io.kestra.plugin.core.log.Log, message: x }]'],
  ['a listed alias', 'tasks: [{ id: a, type: io.kestra.core.tasks.log.Log, message: x }]'],
  [
    'a short alias',
    'tasks: [{ id: a, type: core.flow.WaitFor, condition: x, tasks: [{ id: b, type: core.log.Log, message: x }] }]',
  ],
  [
    'an expression for a number',
    'tasks: [{ id: a, type: core.flow.Parallel, concurrent: "{{ inputs.n }}", tasks: [{ id: b, type: core.log.Log, message: x }] }]',
  ],
  [
    'an expression for a level',
    'tasks: [{ id: a, type: core.log.Log, message: x, level: "{{ inputs.level }}" }]',
  ],
  [
    'an expression for a list',
    'tasks: [{ id: a, type: scripts.shell.Commands, commands: "{{ inputs.list }}" }]',
  ],
  [
    'a number as the value of a map of texts',
    'tasks: [{ id: a, type: scripts.shell.Commands, commands: [ls], env: { PORT: 8080, DEBUG: true } }]',
  ],
  ['a deprecated type', 'tasks: [{ id: a, type: core.debug.Echo, format: x }]'],
  [
    'common properties',
    'tasks: [{ id: a, type: core.log.Log, message: x, runIf: "{{ true }}", timeout: PT1M, retry: { type: constant, interval: PT1S, maxAttempts: 2 } }]',
  ],
])('the editor accepts %s', (_, source) => {
  expect(isFlow(`id: a\nnamespace: b\n${source}`)).toEqual([]);
});
