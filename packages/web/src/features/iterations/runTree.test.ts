import { expect, test } from 'vitest';
import { aState, aTaskRun } from '../gantt/testing/anExecution.ts';
import { orderRuns, parentIndex, pathTo } from './runTree.ts';

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
