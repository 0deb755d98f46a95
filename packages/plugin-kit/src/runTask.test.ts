import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTask } from './define.ts';
import * as property from './dynamic.ts';
import { TaskFailed, warning } from './failure.ts';
import { runTask } from './runTask.ts';
import { aTaskContext } from './testing/testContext.ts';

const everything = defineTask({
  type: 'test.Everything',
  title: 'A test',
  description: 'A test.',
  input: z.object({
    number: property.decimal().optional(),
    whole: property.integer().optional(),
    yes: property.flag().optional(),
    wait: property.duration().optional(),
    list: property.listOf(property.text()).optional(),
    map: property.mapOf(property.anything()).optional(),
    many: property.textOrList().optional(),
    code: property.text().optional(),
  }),
  output: z.looseObject({}),
  raw: ['code'],
  sideEffects: false,
  examples: [],
  run: (_, input) => input,
});

const variables = { n: 4.5, i: 7, t: true, d: 'PT2S', list: ['a', 'b'], map: { a: { b: 1 } }, word: 'hi' };

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{ number: '{{ n }}' }, { number: 4.5 }],
  [{ whole: '{{ i }}' }, { whole: 7 }],
  [{ yes: '{{ t }}' }, { yes: true }],
  [{ wait: '{{ d }}' }, { wait: 2000 }],
  [{ wait: 3 }, { wait: 3000 }],
  [{ list: '{{ list }}' }, { list: ['a', 'b'] }],
  [{ list: ['{{ word }}', 2] }, { list: ['hi', '2'] }],
  [{ map: '{{ map }}' }, { map: { a: { b: 1 } } }],
  [{ map: { '{{ word }}': 1 } }, { map: { hi: 1 } }],
  [{ many: '{{ word }}' }, { many: ['hi'] }],
  [{ many: '{{ list }}' }, { many: ['a', 'b'] }],
  [{ many: '{{ map }}' }, { many: ['{"a":{"b":1}}'] }],
  [{ many: '{{ [map] }}' }, { many: ['[{"a":{"b":1}}]'] }],
  [{ code: '{{ missing }}' }, { code: '{{ missing }}' }],
  [{ list: null }, {}],
])('%j is read as %j', async (properties, expected) => {
  const task = { id: 't', type: 'test.Everything', description: 'common ones are left out', ...properties };
  const result = await runTask(everything, task, aTaskContext({ variables }));
  expect(result).toEqual({ state: 'SUCCESS', outputs: expected });
});

test('a credential is masked in logs however it was given, and a map of the user is left alone', async () => {
  const login = defineTask({
    type: 'test.Login',
    title: 'A test',
    description: 'A test.',
    input: z.object({
      password: property.text(),
      servers: property.listOf(z.object({ apiKey: property.text() })),
      labels: property.mapOf(property.text()),
      nextToken: property.text(),
      secretKey: property.text(),
    }),
    output: z.looseObject({}),
    raw: ['secretKey'],
    sideEffects: false,
    examples: [],
    run: (context) => {
      context.log('INFO', 'written-password key-of-server label-token page-two {{ x }}');
      return {};
    },
  });
  const context = aTaskContext({ variables: { key: 'key-of-server' } });
  const task = {
    id: 't',
    type: 'test.Login',
    password: 'written-password',
    servers: [{ apiKey: '{{ key }}' }],
    labels: { token: 'label-token' },
    nextToken: 'page-two',
    secretKey: '{{ x }}',
  };
  await runTask(login, task, context);
  expect(context.logs[0]?.message).toBe('**masked******** **masked***** label-token page-two {{ x }}');
});

test('a rendered value of the wrong type fails with the property and the value, and is not tried again', async () => {
  const run = runTask(everything, { id: 't', type: 'x', whole: '{{ word }}' }, aTaskContext({ variables }));
  await expect(run).rejects.toThrow(
    'Invalid properties of test.Everything: "whole" must be a number but received "hi"',
  );
  await expect(run).rejects.toSatisfy((error) => error instanceof TaskFailed && !error.retry);
});

test('a task may end in WARNING', async () => {
  const worried = { ...everything, run: () => warning({ a: 1 }) };
  const result = await runTask(worried, { id: 't', type: 'x' }, aTaskContext());
  expect(result).toEqual({ state: 'WARNING', outputs: { a: 1 } });
});

test('a common property that a type declares is also its own', async () => {
  const noted = defineTask({
    type: 'test.Noted',
    title: 'A test',
    description: 'A test.',
    input: z.object({ description: property.text().optional() }),
    output: z.looseObject({}),
    sideEffects: false,
    examples: [],
    run: (_, input) => input,
  });
  const task = { id: 't', type: noted.type, description: '{{ word }}', timeout: 'PT1S' };
  expect((await runTask(noted, task, aTaskContext({ variables }))).outputs).toEqual({ description: 'hi' });
});
