import type { LogEntry } from '@millrace/contract';
import { type ComparedRuns, compareExecutions } from '@millrace/engine';
import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import { anExecution, aState, aTaskRun } from '../../testing/factories.ts';
import { chooseRows } from './ComparedPair.tsx';
import { explainDivergence } from './Divergences.tsx';
import { pairLogs } from './LogDiff.tsx';

describe('the rows of a comparison', () => {
  const row = (path: string, isDifferent: boolean, parent?: number): ComparedRuns => ({
    path,
    name: path,
    depth: 0,
    ...(parent === undefined ? {} : { parent }),
    differences: isDifferent ? [{ kind: 'path', side: 'left' }] : [],
  });
  const runs = [
    row('each', false),
    row('each/load[a]', false, 0),
    row('each/load[b]', true, 0),
    row('end', false),
  ];
  const pathsOf = (wanted: Parameters<typeof chooseRows>[1]) =>
    chooseRows(runs, wanted).map((index) => runs[index]?.path);

  it('are those that differ, with the control tasks around them', () => {
    expect(pathsOf({ q: undefined, all: false })).toEqual(['each', 'each/load[b]']);
  });

  it('are all of them when asked for, narrowed by words of the path', () => {
    expect(pathsOf({ q: undefined, all: true })).toHaveLength(4);
    expect(pathsOf({ q: 'LOAD[A', all: true })).toEqual(['each', 'each/load[a]']);
    expect(pathsOf({ q: 'nothing', all: true })).toEqual([]);
  });
});

it('explains each kind of difference in one sentence', () => {
  const run = (changes: Parameters<typeof aTaskRun>[0]) => [aTaskRun(changes)];
  const sentences = (left: Parameters<typeof aTaskRun>[0], right: Parameters<typeof aTaskRun>[0]) => {
    const { divergences, runs } = compareExecutions(
      anExecution({ id: 'left', inputs: { day: 'mon' }, taskRunList: run({ id: 'l', ...left }) }),
      anExecution({ id: 'right', flowRevision: 2, taskRunList: run({ id: 'r', ...right }) }),
    );
    return divergences.map((one) =>
      explainDivergence(one, one.at === 'run' ? (runs[one.index]?.path ?? '') : '', i18next.t),
    );
  };
  expect(sentences({ outputs: { rows: 10 } }, { outputs: { rows: 0 }, state: aState('FAILED') })).toEqual([
    'The flow differs: revision 1 on the left, revision 2 on the right.',
    'Input day differs: "mon" on the left, nothing on the right.',
    'Output rows of load differs: 10 on the left, 0 on the right.',
    'The state of load is Success on the left and Failed on the right.',
  ]);
  expect(sentences({}, { state: aState('SUCCESS', { duration: 'PT1M' }) }).at(-1)).toBe(
    'load took 5× longer on the right.',
  );
  expect(sentences({ taskId: 'a' }, { taskId: 'b' }).at(-1)).toBe('a ran only on the left.');
});

describe('two logs side by side', () => {
  const line = (message: string, level: LogEntry['level'] = 'INFO'): LogEntry => ({
    namespace: 'a',
    flowId: 'b',
    level,
    message,
    timestamp: '2026-01-01T00:00:00Z',
    attemptNumber: null,
    deleted: false,
  });
  const ids = { left: ['exec-left'], right: ['exec-right'] };
  const pairsOf = (left: readonly string[], right: readonly string[]) =>
    pairLogs(
      left.map((text) => line(text)),
      right.map((text) => line(text)),
      ids,
    ).map((pair) => [pair.left?.message, pair.right?.message, pair.isSame]);

  it('pair the same lines, whatever their ids, dates and durations', () => {
    expect(
      pairsOf(
        ['start exec-left', 'at 2026-01-01T10:00:00Z in 12 ms', 'gone'],
        ['start exec-right', 'fresh', 'at 2026-02-02T11:00:00.5Z in 3 ms'],
      ),
    ).toEqual([
      ['start exec-left', 'start exec-right', true],
      [undefined, 'fresh', false],
      ['at 2026-01-01T10:00:00Z in 12 ms', 'at 2026-02-02T11:00:00.5Z in 3 ms', true],
      ['gone', undefined, false],
    ]);
  });

  it('count a message of several lines as one, and a level as a difference', () => {
    expect(pairsOf(['a\nb'], ['a\nb'])).toEqual([['a\nb', 'a\nb', true]]);
    expect(pairLogs([line('x')], [line('x', 'ERROR')], ids)).toMatchObject([{ isSame: false }]);
  });

  it('show the last lines of very long logs', () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `line ${n}`);
    const pairs = pairsOf(many, many);
    expect(pairs).toHaveLength(1_000);
    expect(pairs.at(-1)).toEqual(['line 2999', 'line 2999', true]);
  });
});
