import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { echo } from './debug/echo.ts';
import { returnValue } from './debug/return.ts';
import { assert } from './execution/assert.ts';
import { fail } from './execution/fail.ts';
import { sleep } from './flow/sleep.ts';
import { log } from './log/log.ts';
import { publishMetric } from './metric/publish.ts';
import { outputValues } from './output/outputValues.ts';
import { templatedTask } from './templating/templatedTask.ts';

test('Log writes one line per message at its level', async () => {
  const context = aTaskContext({ variables: { who: 'World' } });
  await runType(log, { message: ['Hello {{ who }}', 12], level: 'WARN' }, context);
  await runType(log, { message: 'plain' }, context);
  expect(context.logs).toEqual([
    { level: 'WARN', message: 'Hello World' },
    { level: 'WARN', message: '12' },
    { level: 'INFO', message: 'plain' },
  ]);
});

test('Return gives the rendered text and measures it', async () => {
  const context = aTaskContext({ variables: { who: 'World' } });
  expect(await runType(returnValue, { format: 'Hello {{ who }}' }, context)).toEqual({
    value: 'Hello World',
  });
  expect(context.metrics).toMatchObject([{ name: 'length', value: 11 }, { name: 'duration' }]);
  expect(await runType(returnValue)).toEqual({ value: null });
});

test('Echo writes a line', async () => {
  const context = aTaskContext();
  await runType(echo, { format: 'x', level: 'DEBUG' }, context);
  expect(context.logs).toEqual([{ level: 'DEBUG', message: 'x' }]);
});

test('OutputValues keeps the types of literals; what was rendered is text', async () => {
  const context = aTaskContext({ variables: { n: 1 } });
  const values = { text: '{{ n }}', number: 2, list: ['{{ n }}', true], map: { '{{ n }}': null } };
  expect(await runType(outputValues, { values }, context)).toEqual({
    values: { text: '1', number: 2, list: ['1', true], map: { '1': null } },
  });
});

test('Sleep ends early when the task is killed', async () => {
  const context = aTaskContext();
  const sleeping = runType(sleep, { duration: 'PT1H' }, context);
  context.kill();
  await expect(sleeping).rejects.toThrow('aborted');
  await runType(sleep, { duration: 'PT0.001S' });
});

test.each([
  [{}, 'Task failure'],
  [{ condition: '{{ true }}', errorMessage: 'too much' }, 'too much'],
  [{ condition: 'yes' }, 'Task failure'],
])('Fail fails with %j', async (properties, message) => {
  await expect(runType(fail, properties)).rejects.toThrow(message);
});

test.each(['{{ false }}', '0', '-0', '', ' '])('Fail lets "%s" pass', async (condition) => {
  expect(await runType(fail, { condition })).toEqual({});
});

test('Assert logs every condition that does not hold', async () => {
  const context = aTaskContext({ variables: { n: 1 } });
  const conditions = ['{{ n == 1 }}', '{{ n == 2 }}', '{{ missing }}'];
  await expect(runType(assert, { conditions, errorMessage: 'n is {{ n }}' }, context)).rejects.toThrow(
    '2 assertions failed! n is 1',
  );
  await expect(runType(assert, { conditions }, aTaskContext({ variables: { n: 1 } }))).rejects.toThrow(
    '2 assertions failed! {{ n == 2 }}, {{ missing }}',
  );
  expect(context.logs.map(({ message }) => message)).toEqual([
    expect.stringContaining('`{{ n == 2 }}` failed'),
    expect.stringContaining('`{{ missing }}` could not be rendered'),
    'n is 1',
  ]);
  expect(context.metrics).toMatchObject([
    { name: 'success', value: 1 },
    { name: 'failed', value: 2 },
  ]);
  expect(await runType(assert, { conditions: ['{{ n }}'] }, context)).toEqual({});
});

test('Publish takes numbers, seconds and durations', async () => {
  const context = aTaskContext();
  const metrics = [
    { type: 'counter', name: 'rows', value: 3, tags: { a: 'b' } },
    { type: 'timer', name: 'took', value: '1.5' },
    { type: 'timer', name: 'slept', value: 'PT2S' },
  ];
  expect(await runType(publishMetric, { metrics }, context)).toEqual({ metrics: 3 });
  expect(context.metrics.map(({ value }) => value)).toEqual([3, 1500, 2000]);
  await expect(
    runType(publishMetric, { metrics: [{ type: 'counter', name: 'a', value: 'many' }] }),
  ).rejects.toThrow('"many" is no value for a counter');
});

test('TemplatedTask runs the task that its text describes', async () => {
  const context = aTaskContext({
    variables: { word: 'hello' },
    runNested: async (task) => runType(returnValue, { format: task.format }),
  });
  const spec = 'type: core.debug.Return\nformat: {{ word }}';
  expect(await runType(templatedTask, { spec }, context)).toEqual({ value: 'hello' });
});

test.each([
  ['a: [', 'not valid YAML'],
  ['- a', 'the YAML of one task'],
  ['id: a', 'the YAML of one task'],
])('TemplatedTask refuses %j', async (spec, message) => {
  await expect(runType(templatedTask, { spec })).rejects.toThrow(message);
});
