import { expect, it } from 'vitest';
import { aFlow, aTask, Harness } from './testing/harness.ts';

const flow = aFlow({
  inputs: [
    { id: 'token', type: 'SECRET' },
    { id: 'deep.key', type: 'SECRET' },
  ],
  tasks: [aTask('show', { format: '{{ inputs.token }} {{ inputs.deep.key }}' })],
});
const inputs = { token: '<hush>', deep: { key: '<quiet>' } };
const decrypt = (sealed: string) => sealed.slice(1, -1);

it('[E84] SECRET inputs are opened for expressions and stay sealed in the rows', () => {
  const run = new Harness(flow, {}, { inputs }, { decrypt }).start();
  expect(run.runOf('show').outputs).toEqual({ value: 'hush quiet' });
  expect(run.execution.inputs).toEqual(inputs);
  expect(run.live.secretTexts()).toEqual(['hush', 'quiet']);
});

it('[E84] without a key they stay sealed everywhere', () => {
  const run = new Harness(flow, {}, { inputs }).start();
  expect(run.runOf('show').outputs).toEqual({ value: '<hush> <quiet>' });
  expect(run.live.secretTexts()).toEqual([]);
});
