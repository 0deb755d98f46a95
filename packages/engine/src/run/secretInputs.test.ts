import { expect, it } from 'vitest';
import { presentExecution } from './present.ts';
import { aFlow, aTask, Harness } from './testing/harness.ts';

const flow = aFlow({
  inputs: [
    { id: 'token', type: 'SECRET' },
    { id: 'deep.key', type: 'SECRET' },
  ],
  tasks: [aTask('show', { format: '{{ inputs.token }} {{ inputs.deep.key }}' })],
});
const covered = (value: string) => ({ type: 'io.kestra.datatype:aes_encrypted', value });
const inputs = { token: covered('<hush>'), deep: { key: covered('<quiet>') } };
/** Without the marker, as earlier releases stored them. */
const older = { token: '<hush>', deep: { key: '<quiet>' } };
const decrypt = (sealed: string) => sealed.slice(1, -1);

it.each([inputs, older])(
  '[E84] SECRET inputs are opened for expressions and stay sealed in the rows',
  (given) => {
    const run = new Harness(flow, {}, { inputs: given }, { decrypt }).start();
    expect(run.runOf('show').outputs).toEqual({ value: 'hush quiet' });
    expect(run.execution.inputs).toEqual(given);
    expect(run.live.secretTexts()).toEqual(['hush', 'quiet']);
  },
);

it('[E84] without a key they stay sealed everywhere', () => {
  const run = new Harness(flow, {}, { inputs: older }).start();
  expect(run.runOf('show').outputs).toEqual({ value: '<hush> <quiet>' });
  expect(run.live.secretTexts()).toEqual([]);
});

const sealed = { type: 'io.kestra.datatype:aes_encrypted', value: '<hush>' };
const showing = aFlow({
  tasks: [aTask('make'), aTask('show', { format: '{{ outputs.make.deep[0].word }}' })],
});
const making = { make: { state: 'SUCCESS', outputs: { deep: [{ word: sealed }] } } } as const;

it('[E89] sealed outputs are opened for expressions, stay sealed in the rows, and are known to be secret', () => {
  const run = new Harness(showing, making, {}, { decrypt }).start();
  expect(run.runOf('show').outputs).toEqual({ value: 'hush' });
  expect(run.runOf('make').outputs).toEqual(making.make.outputs);
  expect(run.live.secretTexts()).toEqual(['hush']);
  expect(run.reload().live.secretTexts()).toEqual(['hush']);
});

it('[E89] one that cannot be opened stays as it is', () => {
  const refuse = () => {
    throw new Error('wrong key');
  };
  const run = new Harness(showing, making, {}, { decrypt: refuse }).start();
  expect(run.runOf('show').outputs).toEqual({ value: JSON.stringify(sealed) });
  expect(run.live.secretTexts()).toEqual([]);
});

it('[E89] without a key the marked text was never covered', () => {
  const run = new Harness(showing, making).start();
  expect(run.runOf('show').outputs).toEqual({ value: '<hush>' });
});

it('[E89] views show neither SECRET inputs nor sealed outputs', () => {
  const run = new Harness(showing, making, { inputs }, { decrypt }).start();
  const view = presentExecution(run.execution, run.live.taskRuns(), 0);
  expect(view.inputs).toEqual({ token: '******', deep: { key: '******' } });
  expect(view.taskRunList?.[0]?.outputs).toEqual({ deep: [{ word: '******' }] });
});

it('[E351] a FLOAT input is a decimal number to expressions, and a plain one in the rows', () => {
  const floats = aFlow({
    inputs: [
      { id: 'f', type: 'FLOAT' },
      { id: 'deep.f', type: 'FLOAT' },
    ],
    tasks: [aTask('show', { format: '{{ inputs.f }} {{ inputs.deep.f }} {{ inputs.f / 2 }}' })],
  });
  const given = { f: 3, deep: { f: 0.5 } };
  const run = new Harness(floats, {}, { inputs: given }).start();
  expect(run.runOf('show').outputs).toEqual({ value: '3.0 0.5 1.5' });
  expect(run.execution.inputs).toEqual(given);
  expect(JSON.stringify(run.live.variables().inputs)).toBe(JSON.stringify(given));
});
