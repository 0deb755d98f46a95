import { expect, test } from 'vitest';
import { anExecution, aState, aTaskRun } from '../gantt/testing/anExecution.ts';
import { foldRuns, iterationsAround, runsInView } from './foldRuns.ts';
import { outputRows } from './outputRows.ts';

const made = { outputs: { rows: 1 } };
const runs = [
  aTaskRun({ id: 'first', ...made }),
  aTaskRun({ id: 'silent' }),
  aTaskRun({ id: 'each' }),
  ...Array.from({ length: 12 }, (_, n) => [
    aTaskRun({ id: `group${n}`, parentTaskRunId: 'each', value: `${n}` }),
    aTaskRun({ id: `task${n}`, parentTaskRunId: `group${n}`, ...made }),
  ]).flat(),
  aTaskRun({ id: 'last', ...made }),
];

const shownWith = (iterationId?: string, selectedId?: string, taskRuns = runs) => {
  const folded = foldRuns(taskRuns);
  const open = iterationsAround(folded, iterationId);
  const shown = anExecution({ taskRunList: [...runsInView(folded, open)] });
  return outputRows({ folded, open, shown, current: undefined }, selectedId).map(
    ({ run, indent, isFolded }) => `${'-'.repeat(indent)}${run.id}${isFolded ? ' folded' : ''}`,
  );
};

test('a loop with many iterations is one row, and task runs without outputs are left out', () => {
  expect(shownWith()).toEqual(['first', 'each folded', 'last']);
});

test('an open iteration lists its task runs below the loop', () => {
  expect(shownWith('task3')).toEqual(['first', 'each', '-task3', 'last']);
});

test('the selected task run is listed in any case', () => {
  expect(shownWith(undefined, 'task5')).toEqual(['first', 'each folded', '-task5', 'last']);
  expect(shownWith(undefined, 'silent')).toEqual(['first', 'silent', 'each folded', 'last']);
});

test('a failed task run is listed without outputs, so that expressions can be evaluated in it', () => {
  const state = aState(['CREATED', 0], ['FAILED', 10]);
  expect(shownWith(undefined, undefined, [...runs, aTaskRun({ id: 'broken', state })])).toEqual([
    'first',
    'each folded',
    'last',
    'broken',
  ]);
});
