import type { StateType, TaskRun } from '@millrace/contract';
import { describe, expect, test } from 'vitest';
import { aState, aTaskRun } from '../gantt/testing/anExecution.ts';
import { filterIterations, foldedLoops, foldRuns, iterationsAround, runsInView } from './foldRuns.ts';

const run = (id: string, parentTaskRunId?: string, value?: string, state: StateType = 'SUCCESS'): TaskRun =>
  aTaskRun({
    id,
    taskId: id.replace(/-.*/, ''),
    state: aState(['CREATED', 0], [state, 10]),
    ...(parentTaskRunId !== undefined && { parentTaskRunId }),
    ...(value !== undefined && { value }),
  });

/** Two countries with two cities each, and a task after the outer loop's body. */
const nested = foldRuns([
  run('before'),
  run('countries', undefined, undefined, 'WARNING'),
  run('cities-fr', 'countries', 'fr'),
  run('visit-paris', 'cities-fr', 'paris'),
  run('visit-lyon', 'cities-fr', 'lyon', 'FAILED'),
  run('report-fr', 'countries', 'fr', 'FAILED'),
  run('cities-de', 'countries', 'de'),
  run('visit-bonn', 'cities-de', 'bonn'),
  run('inside-bonn', 'visit-bonn'),
  run('visit-ulm', 'cities-de', 'ulm'),
  run('onError', 'countries'),
]);
const idsIn = (open: ReadonlyMap<string, string>) => runsInView(nested, open).map(({ id }) => id);

describe('foldRuns', () => {
  test('O-6.1 the runs of one value are one iteration in its worst state, and a loop counts them per state', () => {
    const loop = nested.loops.get('countries')!;
    expect(loop.iterations.map(({ id, value, number, state }) => [id, value, number, state])).toEqual([
      ['cities-fr', 'fr', 1, 'FAILED'],
      ['cities-de', 'de', 2, 'SUCCESS'],
    ]);
    expect(loop.iterations[0]?.runs.map(({ id }) => id)).toEqual(['cities-fr', 'report-fr']);
    expect(loop.counts).toEqual([
      ['FAILED', 1],
      ['SUCCESS', 1],
    ]);
    expect([...nested.loops.keys()]).toEqual(['countries', 'cities-fr', 'cities-de']);
  });

  test('iterations stand in the order of the values, whichever ran first', () => {
    const { loops } = foldRuns([
      run('each'),
      { ...run('b', 'each', 'second'), iteration: 1 },
      { ...run('a', 'each', 'first'), iteration: 0 },
    ]);
    expect(loops.get('each')?.iterations.map(({ value }) => value)).toEqual(['first', 'second']);
  });

  test('a run whose parent is not in the list belongs to no loop', () => {
    expect(foldRuns([run('a', 'gone', 'x')]).loops.size).toBe(0);
  });
});

describe('open iterations', () => {
  test('are those around a task run, in every loop around it', () => {
    expect([...iterationsAround(nested, 'inside-bonn')]).toEqual([
      ['cities-de', 'bonn'],
      ['countries', 'de'],
    ]);
    expect(iterationsAround(nested, 'before', undefined, 'unknown').size).toBe(0);
  });

  test('of two task runs the later one decides', () => {
    const open = iterationsAround(nested, 'visit-bonn', 'visit-lyon');
    expect(open.get('countries')).toBe('fr');
    expect(idsIn(open)).toEqual(['before', 'countries', 'cities-fr', 'visit-lyon', 'report-fr', 'onError']);
  });

  test('hide the other iterations with all that is in them', () => {
    expect(idsIn(new Map([['countries', 'de']]))).toEqual([
      'before',
      'countries',
      'cities-de',
      'visit-bonn',
      'inside-bonn',
      'visit-ulm',
      'onError',
    ]);
    expect(idsIn(new Map())).toHaveLength(nested.runs.length);
  });

  test('a loop with many iterations is folded until one of them is open', () => {
    const many = foldRuns([run('each'), ...range(11).map((n) => run(`task-${n}`, 'each', `${n}`))]);
    expect([...foldedLoops(many, new Map())]).toEqual(['each']);
    expect(foldedLoops(many, iterationsAround(many, 'task-3')).size).toBe(0);
    expect(foldedLoops(nested, new Map()).size).toBe(0);
  });
});

describe('filterIterations', () => {
  const loop = foldRuns([
    run('each'),
    ...range(2000).map((n) => run(`task-${n}`, 'each', `Order ${n}`, n % 500 === 7 ? 'FAILED' : 'SUCCESS')),
  ]).loops.get('each')!;

  test.each([
    [{}, 2000],
    [{ state: 'FAILED' }, 4],
    [{ text: ' order 19' }, 111],
    [{ state: 'FAILED', text: '7' }, 4],
    [{ state: 'KILLED' }, 0],
    [{ text: '#17' }, 1],
  ] as const)('%j finds %i', (filter, count) => {
    expect(filterIterations(loop, filter)).toHaveLength(count);
  });
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
