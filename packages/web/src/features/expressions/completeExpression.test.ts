import { expect, it } from 'vitest';
import { completeExpression } from './completeExpression.ts';

const flow = {
  id: 'etl',
  inputs: [{ id: 'day' }, { id: 'dry-run' }],
  variables: { bucket: 'b' },
  labels: { team: 'data' },
  tasks: [
    { id: 'load', type: 'core.log.Log' },
    { id: 'fan', type: 'core.flow.Parallel', tasks: [{ id: 'inner', type: 'core.log.Log' }] },
  ],
};
const goOn = (before: string) =>
  completeExpression(before, flow).map(({ insert, from }) => before.slice(0, from) + insert);

it.each([
  ['{{ inputs.', ['{{ inputs.day', '{{ inputs["dry-run"]']],
  ['{{ inputs.D', ['{{ inputs.day', '{{ inputs["dry-run"]']],
  ['{{inputs.dry', ['{{inputs["dry-run"]']],
  ['{{ outputs.', ['{{ outputs.load', '{{ outputs.fan', '{{ outputs.inner']],
  ['{{ vars.b', ['{{ vars.bucket']],
  ['{{ labels.', ['{{ labels.team']],
  ['{{ flow.n', ['{{ flow.namespace']],
  ['{{ taskr', ['{{ taskrun']],
  [
    'from {{ inputs.day }} to {{ execution.s',
    ['from {{ inputs.day }} to {{ execution.startDate', 'from {{ inputs.day }} to {{ execution.state'],
  ],
  ['{{ now() | date(vars.b', ['{{ now() | date(vars.bucket']],
])('completes %s', (before, expected) => {
  expect(goOn(before)).toEqual(expected);
});

it('offers every variable at the beginning of an expression', () => {
  expect(completeExpression('{{ ', flow).map(({ label }) => label)).toEqual(
    expect.arrayContaining([
      'inputs',
      'outputs',
      'vars',
      'flow',
      'execution',
      'trigger',
      'taskrun',
      'labels',
    ]),
  );
});

it.each([
  'inputs.',
  '{{ inputs.day }} inputs.',
  '{{ "inputs.',
  '{{ inputs.day.',
  '{{ nothing.',
  '{{ inputs.day',
])('offers nothing for %s', (before) => {
  expect(completeExpression(before, flow)).toEqual([]);
});

it('takes a flow that is none for one without names', () => {
  for (const broken of [undefined, 'text', { inputs: 'x', tasks: { id: 1 } }])
    expect(completeExpression('{{ inputs.', broken)).toEqual([]);
});
