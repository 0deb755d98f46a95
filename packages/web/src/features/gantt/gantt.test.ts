import { describe, expect, test } from 'vitest';
import { niceTicks } from '../../format/duration.ts';
import { barsOf, durationOf, isGrowing, placeBar, spanOf } from './bars.ts';
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

  test('O-12.2 the delay of a retry and the wait for a worker stand between the attempts', () => {
    const run = aTaskRun({
      id: 'a',
      state: aState(
        ['CREATED', 0],
        ['RUNNING', 0],
        ['FAILED', 50],
        ['RETRYING', 50],
        ['CREATED', 2050],
        ['RUNNING', 2080],
        ['FAILED', 2100],
        ['RETRYING', 2100],
      ),
      attempts: [
        { state: aState(['CREATED', 0], ['RUNNING', 0], ['FAILED', 50]) },
        { state: aState(['CREATED', 2080], ['RUNNING', 2080], ['FAILED', 2100]) },
      ],
    });
    expect(barsOf(run).map(({ kind, startMs, endMs }) => [kind, startMs, endMs])).toEqual([
      ['attempt', atMs(0), atMs(50)],
      ['retry', atMs(50), atMs(2050)],
      ['waiting', atMs(2050), atMs(2080)],
      ['attempt', atMs(2080), atMs(2100)],
      ['retry', atMs(2100), undefined],
    ]);
  });

  test('O-12.3 an attempt whose worker was lost differs from one that was killed', () => {
    const attempts = (last: 'SUCCESS' | 'KILLED') => [
      { state: aState(['CREATED', 0], ['RUNNING', 0], ['KILLED', 50]) },
      { state: aState(['CREATED', 60], ['RUNNING', 60], [last, 90]) },
    ];
    const lost = aTaskRun({
      id: 'a',
      state: aState(['CREATED', 0], ['RUNNING', 0], ['CREATED', 50], ['RUNNING', 60], ['KILLED', 90]),
      attempts: attempts('KILLED'),
    });
    expect(barsOf(lost).map(({ kind }) => kind)).toEqual(['lost', 'waiting', 'attempt']);
    const restarted = aTaskRun({
      id: 'a',
      state: aState(
        ['CREATED', 0],
        ['RUNNING', 0],
        ['KILLED', 50],
        ['RESTARTED', 55],
        ['RUNNING', 60],
        ['SUCCESS', 90],
      ),
      attempts: attempts('SUCCESS'),
    });
    expect(barsOf(restarted).map(({ kind }) => kind)).toEqual(['attempt', 'waiting', 'attempt']);
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
