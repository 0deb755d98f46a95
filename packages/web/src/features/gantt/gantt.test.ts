import { describe, expect, test } from 'vitest';
import { niceTicks } from '../../format/durationScale.ts';
import { barsOf, durationOf, isGrowing, placeBar, spanOf } from './bars.ts';
import { orderRuns, parentIndex, visibleRows } from './rows.ts';
import { anExecution, aState, aTaskRun, atMs } from './testing/anExecution.ts';

describe('niceTicks', () => {
  test.each([
    [0, 5, ['0']],
    [900, 5, ['0', '200 ms', '400 ms', '600 ms', '800 ms']],
    [2600, 6, ['0', '500 ms', '1 s', '1.5 s', '2 s', '2.5 s']],
    [60_000, 4, ['0', '15 s', '30 s', '45 s', '1 min']],
    [5_400_000, 3, ['0', '30 min', '1 h', '1 h 30 min']],
    [20 * 86_400_000, 2, ['0', '10 d', '20 d']],
  ])('an axis of %i ms with at most %i marks', (length, most, labels) => {
    expect(niceTicks(length, most).map((tick) => tick.label)).toEqual(labels);
  });

  test('never has more marks than asked for, at any length', () => {
    for (let length = 1; length < 1e13; length = Math.ceil(length * 1.7)) {
      const ticks = niceTicks(length, 6);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.every((tick) => tick.at <= 1)).toBe(true);
    }
  });
});

describe('rows', () => {
  const execution = anExecution({
    taskRunList: [
      aTaskRun({ id: 'late', state: aState(['CREATED', 500]) }),
      aTaskRun({ id: 'each', state: aState(['CREATED', 10]) }),
      aTaskRun({ id: 'b', parentTaskRunId: 'each', value: '2', state: aState(['CREATED', 30]) }),
      aTaskRun({ id: 'a', parentTaskRunId: 'each', value: '1', state: aState(['CREATED', 20]) }),
      aTaskRun({ id: 'inner', parentTaskRunId: 'a', state: aState(['CREATED', 40]) }),
      aTaskRun({ id: 'orphan', parentTaskRunId: 'gone', state: aState(['CREATED', 5]) }),
    ],
  });

  test('children follow their parent, siblings stand by start, orphans at the top', () => {
    expect(orderRuns(execution).map((row) => `${row.depth}${row.run.id}${row.childCount}`)).toEqual([
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
    expect(visibleRows(orderRuns(execution), new Set(collapsed)).map((row) => row.run.id)).toEqual(ids);
  });

  test('finds the row around a row', () => {
    const rows = orderRuns(execution);
    expect([0, 2, 3, 4].map((index) => parentIndex(rows, index))).toEqual([-1, 1, 2, 1]);
  });
});

describe('bars', () => {
  test('a run that waited has a pale part before its attempt', () => {
    const run = aTaskRun({ id: 'a', state: aState(['CREATED', 0], ['RUNNING', 40], ['SUCCESS', 100]) });
    expect(barsOf(run)).toEqual([
      { kind: 'waiting', state: 'CREATED', startMs: atMs(0), endMs: atMs(40) },
      { kind: 'attempt', state: 'SUCCESS', startMs: atMs(40), endMs: atMs(100) },
    ]);
  });

  test('every attempt has its own bar, counted from one', () => {
    const run = aTaskRun({
      id: 'a',
      state: aState(['CREATED', 0], ['RUNNING', 0], ['RUNNING', 60]),
      attempts: [
        { state: aState(['CREATED', 0], ['RUNNING', 0], ['FAILED', 50]) },
        { state: aState(['CREATED', 60], ['RUNNING', 60]) },
      ],
    });
    expect(barsOf(run)).toEqual([
      { kind: 'attempt', state: 'FAILED', startMs: atMs(0), endMs: atMs(50), attempt: 1 },
      { kind: 'attempt', state: 'RUNNING', startMs: atMs(60), attempt: 2 },
    ]);
  });

  test('a queued run is one open bar', () => {
    const run = aTaskRun({ id: 'a', state: aState(['CREATED', 0], ['QUEUED', 5]) });
    expect(barsOf(run)).toEqual([{ kind: 'attempt', state: 'QUEUED', startMs: atMs(0) }]);
  });

  test('the axis ends with the last task run, or with now while something runs', () => {
    const over = anExecution({
      taskRunList: [aTaskRun({ id: 'after', state: aState(['CREATED', 900], ['SUCCESS', 1500]) })],
    });
    expect(spanOf(over, atMs(9999))).toEqual({ startMs: atMs(0), endMs: atMs(1500) });
    const running = anExecution({ state: aState(['CREATED', 0], ['RUNNING', 5]) });
    expect(isGrowing(running)).toBe(true);
    expect(spanOf(running, atMs(2000))).toEqual({ startMs: atMs(0), endMs: atMs(2000) });
  });

  test('a control task that was restarted has a bar for each period', () => {
    const run = aTaskRun({
      id: 'each',
      state: aState(
        ['CREATED', 0],
        ['RUNNING', 0],
        ['FAILED', 14],
        ['RESTARTED', 2_700_000],
        ['SUCCESS', 2_700_006],
      ),
    });
    expect(barsOf(run)).toEqual([
      { kind: 'attempt', state: 'FAILED', startMs: atMs(0), endMs: atMs(14) },
      { kind: 'attempt', state: 'SUCCESS', startMs: atMs(2_700_000), endMs: atMs(2_700_006) },
    ]);
    expect(durationOf(run, atMs(9e9))).toBe(20);
  });

  test('a paused run is one open bar', () => {
    const run = aTaskRun({ id: 'ask', state: aState(['CREATED', 0], ['RUNNING', 0], ['PAUSED', 5]) });
    expect(barsOf(run)).toEqual([{ kind: 'attempt', state: 'PAUSED', startMs: atMs(0) }]);
    expect(durationOf(run, atMs(9000))).toBe(5);
  });

  test('the axis leaves out the dates of copied task runs', () => {
    const copied = aTaskRun({ id: 'old', copied: true, state: aState(['CREATED', -9e8], ['SUCCESS', -8e8]) });
    const own = aTaskRun({ id: 'own', state: aState(['CREATED', 5], ['SUCCESS', 900]) });
    const replay = anExecution({ taskRunList: [copied, own] });
    expect(spanOf(replay, atMs(9999))).toEqual({ startMs: atMs(0), endMs: atMs(1000) });
  });

  test('an open bar reaches now and no further', () => {
    const span = { startMs: atMs(0), endMs: atMs(1000) };
    expect(placeBar({ kind: 'attempt', state: 'RUNNING', startMs: atMs(250) }, span, atMs(5000))).toEqual({
      left: 0.25,
      width: 0.75,
    });
  });
});
