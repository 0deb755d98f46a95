import type { Execution, ExecutionEvent, State, StateType, TaskRun } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { TimeIndex, taskRunAt } from './timeIndex.ts';

const start = Date.parse('2026-03-01T10:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

function aState(...entries: readonly (readonly [StateType, number])[]): State {
  const histories = entries.map(([state, ms]) => ({ state, date: iso(start + ms) }));
  return { current: histories.at(-1)!.state, histories, duration: 'PT0S', startDate: histories[0]!.date };
}

function aRun(id: string, state: State, more: Partial<TaskRun> = {}): TaskRun {
  return {
    id,
    executionId: 'e',
    namespace: 'n',
    flowId: 'f',
    taskId: id,
    state,
    outputs: { made: id },
    ...more,
  };
}

function anExecution(state: State, taskRunList: TaskRun[], more: Partial<Execution> = {}): Execution {
  return {
    id: 'e',
    namespace: 'n',
    flowId: 'f',
    flowRevision: 1,
    labels: [],
    state,
    taskRunList,
    originalId: 'e',
    deleted: false,
    metadata: { attemptNumber: 1, originalCreatedDate: state.startDate },
    ...more,
  };
}

/** Deterministic pseudo-random numbers below `limit`. */
function randomFrom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % limit;
  };
}

const ends: readonly StateType[] = ['SUCCESS', 'FAILED', 'WARNING'];

/** An execution whose task runs run at random times, some with retries and restarts. */
function randomExecution(seed: number, count: number): Execution {
  const random = randomFrom(seed);
  const runs = Array.from({ length: count }, (_, index) => {
    const entries: [StateType, number][] = [['CREATED', random(10_000)]];
    for (let attempt = 0; attempt <= random(3); attempt += 1) {
      const at = entries.at(-1)![1];
      if (attempt > 0) entries.push(['RESTARTED', at + random(50)]);
      entries.push(['RUNNING', at + 50 + random(100)]);
      entries.push([ends[random(ends.length)]!, at + 150 + random(100)]);
    }
    return aRun(`t${index}`, aState(...entries));
  });
  return anExecution(aState(['CREATED', 0], ['RUNNING', 1], ['SUCCESS', 11_000]), runs);
}

/** The same without an index: every history is read from the beginning. */
function replayed(execution: Execution, ms: number): Record<string, StateType> {
  const states: Record<string, StateType> = {};
  const read = (name: string, { histories }: State) => {
    for (const { state, date } of histories) if (Date.parse(date) <= ms) states[name] = state;
  };
  read('', execution.state);
  for (const run of execution.taskRunList ?? []) read(run.id, run.state);
  return states;
}

const sorted = (states: Record<string, StateType>) => Object.entries(states).sort().join();

const statesIn = (execution: Execution): Record<string, StateType> =>
  Object.fromEntries([
    ['', execution.state.current],
    ...(execution.taskRunList ?? []).map((run) => [run.id, run.state.current] as const),
  ]);

describe('the time index', () => {
  it('O-2.6 shows at every moment what a replay from the beginning shows', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      // More than one checkpoint from the tenth seed on.
      const execution = randomExecution(seed, seed * 40);
      const index = new TimeIndex(execution);
      const random = randomFrom(seed + 1_000);
      for (let count = 0; count < 50; count += 1) {
        const ms = start + random(12_000);
        // As text: comparing large objects key by key takes most of the time of this test.
        expect(sorted(statesIn(index.at(ms)))).toBe(sorted(replayed(execution, ms)));
      }
    }
  });

  it('O-2.3 walks over every moment in both directions', () => {
    const execution = randomExecution(7, 300);
    const index = new TimeIndex(execution);
    const moments = new Set<number>();
    for (const { state } of [execution, ...(execution.taskRunList ?? [])])
      for (const { date } of state.histories) moments.add(Date.parse(date));
    const walk = (step: 'next' | 'previous', from: number) => {
      const found: number[] = [];
      for (let ms = index[step](from); ms !== undefined; ms = index[step](ms)) found.push(ms);
      return found;
    };
    const all = [...moments].sort((a, b) => a - b);
    expect(walk('next', index.startMs - 1)).toEqual(all);
    expect(walk('previous', index.endMs + 1)).toEqual(all.toReversed());
  });

  it('keeps a task run the same object between two of its states', () => {
    const execution = anExecution(aState(['CREATED', 0], ['RUNNING', 0], ['SUCCESS', 100]), [
      aRun('a', aState(['CREATED', 10], ['RUNNING', 20], ['SUCCESS', 30])),
      aRun('b', aState(['CREATED', 40], ['RUNNING', 50], ['SUCCESS', 60])),
    ]);
    const index = new TimeIndex(execution);
    const first = index.at(start + 22).taskRunList?.[0];
    expect(index.at(start + 28).taskRunList?.[0]).toBe(first);
    expect(index.at(start + 55).taskRunList?.[0]).toBe(execution.taskRunList?.[0]);
    expect(index.at(start + 55)).toBe(index.at(start + 55));
  });

  it('shows outputs once a task run has ended, and keeps them when a user changes the end', () => {
    const run = aRun('a', aState(['CREATED', 0], ['RUNNING', 1], ['FAILED', 2], ['SUCCESS', 9]));
    const index = new TimeIndex(anExecution(aState(['CREATED', 0], ['RUNNING', 0], ['SUCCESS', 9]), [run]));
    const outputsAt = (ms: number) => index.at(start + ms).taskRunList?.[0]?.outputs;
    expect(outputsAt(1)).toEqual({});
    expect(outputsAt(5)).toEqual({ made: 'a' });
    expect(outputsAt(9)).toEqual({ made: 'a' });
  });

  it('shows the outputs of the execution only from its end on', () => {
    const index = new TimeIndex(
      anExecution(aState(['CREATED', 0], ['RUNNING', 1], ['SUCCESS', 9]), [], { outputs: { x: 1 } }),
    );
    expect(index.at(start + 8).outputs).toBeUndefined();
    expect(index.at(start + 9).outputs).toEqual({ x: 1 });
  });

  it('shows copied task runs from the beginning', () => {
    const copied = aRun('a', aState(['CREATED', -9_000], ['SUCCESS', -8_000]), { copied: true });
    const index = new TimeIndex(anExecution(aState(['CREATED', 0], ['SUCCESS', 5]), [copied]));
    expect(index.startMs).toBe(start);
    expect(index.at(start).taskRunList).toEqual([copied]);
  });

  it('O-2.2 takes back labels and variables that changed later', () => {
    const change = (
      kind: 'labels' | 'variables',
      ms: number,
      payload: Record<string, unknown>,
    ): ExecutionEvent => ({
      id: `1-${ms}`,
      kind,
      date: iso(start + ms),
      actor: { type: 'system' },
      summary: '',
      payload,
    });
    const index = new TimeIndex(
      anExecution(aState(['CREATED', 0], ['SUCCESS', 50]), [], {
        labels: [{ key: 'env', value: 'prod' }],
        variables: { n: 3, late: true },
      }),
      [
        change('variables', 10, { before: { n: 1 }, after: { n: 2 } }),
        change('variables', 20, { before: { n: 2 }, after: { n: 3, late: true } }),
        change('labels', 30, {
          added: [{ key: 'env', value: 'prod' }],
          removed: [{ key: 'env', value: 'dev' }],
        }),
      ],
    );
    expect(index.at(start + 5)).toMatchObject({
      variables: { n: 1 },
      labels: [{ key: 'env', value: 'dev' }],
    });
    expect(index.at(start + 15).variables).toEqual({ n: 2 });
    expect(index.at(start + 25).variables).toEqual({ n: 3, late: true });
    expect(index.at(start + 30).labels).toEqual([{ key: 'env', value: 'prod' }]);
  });

  it('names the last change before a moment, and marks where something failed', () => {
    const index = new TimeIndex(
      anExecution(aState(['CREATED', 0], ['RUNNING', 0], ['FAILED', 100]), [
        aRun('a', aState(['CREATED', 10], ['RUNNING', 20], ['FAILED', 90])),
      ]),
    );
    expect(index.lastBefore(start + 30)).toMatchObject({ state: 'RUNNING', run: { id: 'a' } });
    expect(index.lastBefore(start - 1)).toBeUndefined();
    expect(index.bins(10).map(({ count }) => count)).toEqual([2, 1, 1, 0, 0, 0, 0, 0, 0, 2]);
    expect(
      index
        .bins(10)
        .map(({ hasFailure }) => hasFailure)
        .indexOf(true),
    ).toBe(9);
  });

  it('shows an execution without task runs, and one that has only been created', () => {
    const index = new TimeIndex(anExecution(aState(['CREATED', 0]), []));
    expect([index.startMs, index.endMs]).toEqual([start, start]);
    expect(index.at(start)).toMatchObject({ state: { current: 'CREATED' }, taskRunList: [] });
  });
});

describe('a task run at a moment', () => {
  it('has the attempts that had begun, as they were', () => {
    const attempts = [
      { state: aState(['CREATED', 10], ['RUNNING', 10], ['FAILED', 20]) },
      { state: aState(['CREATED', 30], ['RUNNING', 30], ['SUCCESS', 40]) },
    ];
    const run = aRun(
      'a',
      aState(
        ['CREATED', 0],
        ['RUNNING', 10],
        ['FAILED', 20],
        ['RETRYING', 20],
        ['CREATED', 30],
        ['RUNNING', 30],
        ['SUCCESS', 40],
      ),
      { attempts },
    );
    expect(taskRunAt(run, 1).attempts).toBeUndefined();
    expect(taskRunAt(run, 2).attempts?.map(({ state }) => state.current)).toEqual(['RUNNING']);
    expect(taskRunAt(run, 4).attempts?.map(({ state }) => state.current)).toEqual(['FAILED']);
    expect(taskRunAt(run, 6).attempts?.map(({ state }) => state.current)).toEqual(['FAILED', 'RUNNING']);
    expect(taskRunAt(run, 7)).toBe(run);
  });
});
