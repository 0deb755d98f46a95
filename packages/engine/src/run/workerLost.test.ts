import { describe, expect, it } from 'vitest';
import { aFlow, aTask, Harness } from './testing/harness.ts';

const lose = (run: Harness, attempt: number, isDrained?: boolean) =>
  run.send({
    type: 'workerLost',
    taskRunId: run.runOf('a').id,
    attempt,
    ...(isDrained === undefined ? {} : { isDrained }),
  });
const attemptsOf = (run: Harness) => run.runOf('a').attempts.map(({ state }) => state.current);

describe('a worker that is gone', () => {
  it('[A41] a task that takes three workers down fails instead of taking a fourth', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    lose(run, 0);
    lose(run, 1);
    expect(run.runOf('a').state.current).toBe('RUNNING');
    lose(run, 2);
    expect([run.state, attemptsOf(run)]).toEqual(['FAILED', ['KILLED', 'KILLED', 'KILLED']]);
  });

  it('a drained worker is no lost attempt of the task', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    for (let attempt = 0; attempt < 5; attempt++) lose(run, attempt, true);
    expect([run.state, attemptsOf(run).length]).toEqual(['RUNNING', 6]);
  });

  it('[E430] one that was lost with other work does not count against the task, and the next attempts wait longer', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) {
      run.send({ type: 'workerLost', taskRunId: run.runOf('a').id, attempt, isShared: true });
      if (run.runOf('a').state.current === 'RUNNING') continue;
      expect([run.state, run.runOf('a').state.current]).toEqual(['RETRYING', 'RETRYING']);
      const [wake] = run.live.wakes();
      waits.push((wake?.at ?? 0) - run.now);
      run.now = wake?.at ?? 0;
      if (wake) run.send({ type: 'woken', wake });
    }
    expect([run.state, attemptsOf(run).length, waits.length]).toEqual(['RUNNING', 11, 8]);
    expect(waits[0]).toBeGreaterThanOrEqual(15_000);
    expect(waits[5]).toBeGreaterThan(waits[0] ?? 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(450_000);
    run.send({ type: 'taskEnded', taskRunId: run.runOf('a').id, attempt: 10, state: 'SUCCESS' });
    expect(run.state).toBe('SUCCESS');
  });

  it('the late answer of a lost attempt changes nothing', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    lose(run, 0);
    run.send({
      type: 'taskEnded',
      taskRunId: run.runOf('a').id,
      attempt: 0,
      state: 'SUCCESS',
      outputs: { from: 'the dead' },
    });
    expect([run.state, run.runOf('a').outputs]).toEqual(['RUNNING', undefined]);
  });
});
