import { expect, it } from 'vitest';
import { anExecution, aTaskRun } from '../../../testing/factories.ts';
import { asTemplate, completeInRun, valuesOf } from './completeInRun.ts';

const execution = anExecution({
  inputs: { day: 'mon', 'dry-run': true },
  trigger: { id: 'daily', type: 'core.trigger.Schedule', variables: { date: '2026-01-01' } },
  taskRunList: [
    aTaskRun({ id: '1', taskId: 'load', outputs: { rows: [{ id: 1 }], size: { 'in bytes': 3 } } }),
    aTaskRun({ id: '2', taskId: 'each', value: 'eu', outputs: { code: 0 } }),
    aTaskRun({ id: '3', taskId: 'each', value: 'us', outputs: { code: 1 } }),
    aTaskRun({ id: '4', taskId: 'quiet', outputs: {} }),
  ],
});
const known = {
  flow: {
    inputs: [{ id: 'day' }],
    tasks: [
      { id: 'load', type: 'x' },
      { id: 'quiet', type: 'x' },
    ],
  },
  values: () => valuesOf(execution),
  filters: ['date', 'default', 'upper'],
  functions: ['now', 'read'],
};
const goOn = (before: string) =>
  completeInRun(before, known).map(({ insert, from }) => before.slice(0, from) + insert);

it.each([
  ['outputs.', ['outputs.load', 'outputs.each']],
  ['outputs.load.', ['outputs.load.rows', 'outputs.load.size']],
  ['outputs.load.size.', ['outputs.load.size["in bytes"]']],
  ['outputs.load.rows[0].', ['outputs.load.rows[0].id']],
  ['outputs.load.rows[', ['outputs.load.rows[0]']],
  ['outputs.each["e', ['outputs.each.eu']],
  ['outputs.each.us.c', ['outputs.each.us.code']],
  ['inputs.d', ['inputs.day', 'inputs["dry-run"]']],
  ['{{ inputs.da', ['{{ inputs.day']],
  ['trigger.', ['trigger.date']],
  ['outputs.load.size | u', ['outputs.load.size | upper']],
  ['re', ['read(']],
  ['inp', ['inputs']],
])('completes %s with the values of the execution', (before, expected) => {
  expect(goOn(before)).toEqual(expected);
});

it.each(['{{ inputs.day }} and inputs.', 'outputs.nothing.'])('offers nothing for %s', (before) => {
  expect(goOn(before)).toEqual([]);
});

it('takes a text without braces for one expression', () => {
  expect(asTemplate('outputs.load.rows')).toBe('{{ outputs.load.rows }}');
  expect(asTemplate('a {{ b }}')).toBe('a {{ b }}');
});
