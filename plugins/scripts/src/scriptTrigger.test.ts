import type { TriggerDefinition } from '@millrace/plugin-kit';
import { readInput, renderProperties } from '@millrace/plugin-kit';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { afterAll, expect, test } from 'vitest';
import { holds, readExitCondition } from './exitCondition.ts';
import { nodeTriggers } from './languages/node.ts';
import { shellTriggers } from './languages/shell.ts';
import { ProcessHelper } from './process/processHelper.ts';

const helper = new ProcessHelper({ graceMs: 200 });
afterAll(() => helper.close());

async function poll(trigger: TriggerDefinition, properties: Record<string, unknown>, memory?: unknown) {
  const context = aTaskContext({
    spawn: (request) => helper.spawn(request),
    memory,
    variables: { word: 'ready' },
  });
  const rendered = await renderProperties(trigger, properties, context);
  const outputs = await trigger.poll?.(context, readInput(trigger.type, trigger.input, rendered));
  return { outputs, memory: context.memory };
}
const [script, commands] = shellTriggers;

test('starts when the script ends as expected, with what it said', async () => {
  const code = 'echo "::{\\"outputs\\": {\\"n\\": 1}}::"\nexit 3';
  const { outputs } = await poll(script, { script: code, exitCondition: 'exit 3' });
  expect(outputs).toMatchObject({
    condition: 'exit 3',
    exitCode: 3,
    vars: { n: 1 },
    timestamp: expect.any(String),
  });
  expect((await poll(script, { script: code, exitCondition: 'exit 0' })).outputs).toBeUndefined();
});

test('starts when the output says so, in other languages too', async () => {
  const properties = { commands: ['echo "it is {{ word }}"'], exitCondition: 'stdout contains {{ word }}' };
  expect((await poll(commands, properties)).outputs).toMatchObject({ condition: 'stdout contains ready' });
  const node = { script: 'console.error("bad")', exitCondition: 'stderr contains bad' };
  expect((await poll(nodeTriggers[0], node)).outputs).toBeDefined();
});

test('starts once while the condition holds, or after every run without `edge`', async () => {
  const properties = { commands: ['true'], exitCondition: 'exit 0' };
  const first = await poll(commands, properties);
  expect(first.outputs).toBeDefined();
  expect((await poll(commands, properties, first.memory)).outputs).toBeUndefined();
  expect((await poll(commands, { ...properties, edge: false }, first.memory)).outputs).toBeDefined();
  const ended = await poll(commands, { ...properties, commands: ['false'] }, first.memory);
  expect((await poll(commands, properties, ended.memory)).outputs).toBeDefined();
});

test.each([
  ['exit not 0', 1, true],
  ['exit not 0', 0, false],
  ['STDOUT contains "a b"', 0, true],
  ['stdout not contains zzz', 0, true],
])('%s with exit code %d: %s', (text, exitCode, isMet) => {
  expect(holds(readExitCondition(text), { exitCode, stdout: 'a b', stderr: '', vars: {} })).toBe(isMet);
});

test.each([
  ['status=ready', true],
  ['count=\\d+', true],
  ['"count":3', true],
  ['tags=[new, paid', true],
  ['status=done', false],
])('the condition %s is searched in the outputs of the script', (written, expected) => {
  const vars = { status: 'ready', count: 3, tags: ['new', 'paid'] };
  const end = { exitCode: 0, stdout: 'status=done', stderr: '', vars };
  expect(holds(readExitCondition(written), end)).toBe(expected);
});
