import { expect, test } from 'vitest';
import { anExecution, aState, aTaskRun } from '../gantt/testing/anExecution.ts';
import { foldRuns, iterationsAround, runsInView } from './foldRuns.ts';
import { orderRuns, outputRows, parentIndex, pathTo } from './runTree.ts';

const runs = [
  aTaskRun({ id: 'late', state: aState(['CREATED', 500]) }),
  aTaskRun({ id: 'each', state: aState(['CREATED', 10]) }),
  aTaskRun({ id: 'b', parentTaskRunId: 'each', value: '2', state: aState(['CREATED', 30]) }),
  aTaskRun({ id: 'a', parentTaskRunId: 'each', value: '1', state: aState(['CREATED', 20]) }),
  aTaskRun({ id: 'inner', parentTaskRunId: 'a', state: aState(['CREATED', 40]) }),
  aTaskRun({ id: 'orphan', parentTaskRunId: 'gone', state: aState(['CREATED', 5]) }),
];

test('children follow their parent, siblings stand by start, orphans at the top', () => {
  expect(orderRuns(runs).map((row) => `${row.depth}${row.run.id}${row.childCount}`)).toEqual([
    '0orphan0',
    '0each2',
    '1a1',
    '2inner0',
    '1b0',
    '0late0',
  ]);
});

test.each([
  [[], ['orphan', 'each', 'a', 'inner', 'b', 'late']],
  [['a'], ['orphan', 'each', 'a', 'b', 'late']],
  [['each'], ['orphan', 'each', 'late']],
  [
    ['each', 'a'],
    ['orphan', 'each', 'late'],
  ],
])('collapsing %j shows %j', (collapsed, ids) => {
  expect(orderRuns(runs, new Set(collapsed)).map((row) => row.run.id)).toEqual(ids);
});

test('a collapsed row keeps the path to the selected task run in sight', () => {
  const kept = pathTo(new Map(runs.map((run) => [run.id, run])), 'inner');
  expect([...kept]).toEqual(['inner', 'a', 'each']);
  const shown = orderRuns(runs, new Set(['each']), kept);
  expect(shown.map((row) => row.run.id)).toEqual(['orphan', 'each', 'a', 'inner', 'late']);
});

test('finds the row around a row', () => {
  const rows = orderRuns(runs);
  expect([0, 2, 3, 4].map((index) => parentIndex(rows, index))).toEqual([-1, 1, 2, 1]);
});

const made = { outputs: { rows: 1 } };
const loopedRuns = [
  aTaskRun({ id: 'first', ...made }),
  aTaskRun({ id: 'silent' }),
  aTaskRun({ id: 'each' }),
  ...Array.from({ length: 12 }, (_, n) => [
    aTaskRun({ id: `group${n}`, parentTaskRunId: 'each', value: `${n}` }),
    aTaskRun({ id: `task${n}`, parentTaskRunId: `group${n}`, ...made }),
  ]).flat(),
  aTaskRun({ id: 'last', ...made }),
];

const shownWith = (iterationId?: string, selectedId?: string, taskRuns = loopedRuns) => {
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
  expect(shownWith(undefined, undefined, [...loopedRuns, aTaskRun({ id: 'broken', state })])).toEqual([
    'first',
    'each folded',
    'last',
    'broken',
  ]);
});
