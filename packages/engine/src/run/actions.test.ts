import { describe, expect, it } from 'vitest';
import { LiveRun } from './live.ts';
import { replay } from './replay.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

describe('workers that fail the engine', () => {
  it('[E80] an answer for an attempt that is not running changes nothing', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    const { id } = run.runOf('a');
    run.send({ type: 'workerLost', taskRunId: id, attempt: 0 });
    expect(run.runOf('a').attempts).toHaveLength(2);
    run.send({ type: 'taskEnded', taskRunId: id, attempt: 0, state: 'SUCCESS', outputs: { late: true } });
    expect(run.state).toBe('RUNNING');
    expect(run.runOf('a').outputs).toBeUndefined();
    run.send({ type: 'taskEnded', taskRunId: id, attempt: 1, state: 'SUCCESS' });
    run.send({ type: 'taskEnded', taskRunId: id, attempt: 1, state: 'FAILED' });
    expect(run.state).toBe('SUCCESS');
  });

  it('[E83] runs that a task made up are kept below it, survive a reload and start nothing', () => {
    const run = new Harness(
      aFlow({ tasks: [aTask('build'), aTask('next', { format: '{{ outputs.model.rows }}' })] }),
      {
        build: 'HOLD',
      },
    ).start();
    const times = { startedAt: run.now, endedAt: run.now + 5 };
    run.send({
      type: 'taskEnded',
      taskRunId: run.runOf('build').id,
      attempt: 0,
      state: 'SUCCESS',
      dynamic: [
        { taskId: 'model', state: 'SUCCESS', outputs: { rows: 3 }, ...times },
        { taskId: 'check', state: 'FAILED', ...times },
      ],
    });
    expect(run.summary()).toEqual(['build:SUCCESS', 'model:SUCCESS', 'check:FAILED', 'next:SUCCESS']);
    expect(run.runOf('next').outputs).toEqual({ value: '3' });
    expect(run.runOf('model')).toMatchObject({ parentId: run.runOf('build').id, dynamic: true });
    expect(run.state).toBe('SUCCESS');
    expect(run.reload().summary()).toHaveLength(4);
  });

  it('[E83] a restart runs the task again and replaces the runs that it had made up', () => {
    const run = new Harness(aFlow({ tasks: [aTask('build')] }), { build: 'HOLD' }).start();
    const times = { startedAt: run.now, endedAt: run.now + 5 };
    const report = (attempt: number, state: 'SUCCESS' | 'FAILED') =>
      run.send({
        type: 'taskEnded',
        taskRunId: run.runOf('build').id,
        attempt,
        state,
        dynamic: [{ taskId: 'model', state, ...times }],
      });
    report(0, 'FAILED');
    run.send({ type: 'restart' });
    expect(run.summary()).toEqual(['build:RUNNING']);
    report(1, 'SUCCESS');
    expect(run.summary()).toEqual(['build:SUCCESS', 'model:SUCCESS']);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E81] a task that takes its worker down three times fails with a readable reason', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    for (const attempt of [0, 1, 2]) run.send({ type: 'workerLost', taskRunId: run.runOf('a').id, attempt });
    expect(run.state).toBe('FAILED');
    expect(run.logs.at(-1)).toContain('3 times');
  });

  it('[E82] after a reload, created task runs are handed out again and nothing that ended runs again', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('b')] }), { b: 'HOLD' }).start();
    run.reload();
    expect(run.live.attemptsWithWorkers()).toEqual([{ taskRunId: run.runOf('b').id, attempt: 0 }]);
    run.send({ type: 'workerLost', taskRunId: run.runOf('b').id, attempt: 0 });
    run.end('b');
    expect(run.state).toBe('SUCCESS');
    expect(run.started).toEqual(['a', 'b', 'b']);
  });
});

describe('kill', () => {
  it('[E85] ends what the engine holds at once and the execution when the workers have answered', () => {
    const run = new Harness(
      aFlow({
        tasks: [aControl('Parallel', 'p', { tasks: [aTask('a'), aControl('Pause', 'w', {})] })],
        finally: [aTask('f')],
      }),
      { a: 'HOLD' },
    ).start();
    run.send({ type: 'kill', cascade: false });
    expect(run.state).toBe('KILLING');
    expect(run.summary()).toEqual(['p:KILLED', 'a:RUNNING', 'w:KILLED']);
    expect(run.effects.at(-1)).toEqual({ effect: 'interrupt', taskRunIds: [run.runOf('a').id] });
    run.end('a', 'KILLED');
    expect(run.state).toBe('KILLED');
    expect(run.summary()).toEqual(['p:KILLED', 'a:KILLED', 'w:KILLED']);
    expect(run.live.hasEnded()).toBe(true);
  });

  it.each(['CREATED', 'PAUSED', 'RETRYING', 'QUEUED'])(
    '[E86] kills an execution in state %s and starts nothing',
    (state) => {
      const flow = aFlow({
        tasks: [
          state === 'PAUSED'
            ? aControl('Pause', 'a', {})
            : aTask('a', { retry: { type: 'constant', interval: 'PT1S', maxAttempt: 2 } }),
          aTask('b'),
        ],
      });
      const run = new Harness(flow, { a: 'FAILED' });
      if (state === 'QUEUED') run.send({ type: 'refused', behavior: 'QUEUE', limit: 1 });
      else if (state !== 'CREATED') run.start();
      expect(run.state).toBe(state);
      run.send({ type: 'kill', cascade: true });
      expect(run.state).toBe('KILLED');
      expect(run.started).not.toContain('b');
      expect(run.live.hasEnded()).toBe(true);
    },
  );

  it('[E87] a worker lost while being killed ends the kill', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' })
      .start()
      .send({ type: 'kill', cascade: false });
    run.send({ type: 'workerLost', taskRunId: run.runOf('a').id, attempt: 0 });
    expect(run.state).toBe('KILLED');
  });

  it('[E88] a second kill and late wake-ups change nothing', () => {
    const run = new Harness(aFlow({ tasks: [aControl('Pause', 'w', { delay: 'PT1S' })] })).start();
    run.send({ type: 'kill', cascade: false }).send({ type: 'kill', cascade: false }).wake();
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'KILLING', 'KILLED']);
  });
});

describe('restart', () => {
  it('[E90] runs the failed task again and continues, with one more attempt', () => {
    const run = new Harness(
      aFlow({ tasks: [aTask('a'), aTask('ko'), aTask('c')], errors: [aTask('e')], finally: [aTask('f')] }),
      { ko: 'SUCCESS', 'ko#0': 'FAILED' },
    ).start();
    run.send({ type: 'restart' });
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'FAILED', 'RESTARTED', 'RUNNING', 'SUCCESS']);
    expect(run.historyOf('ko')).toEqual(['CREATED', 'RUNNING', 'FAILED', 'RESTARTED', 'RUNNING', 'SUCCESS']);
    expect(run.runOf('ko').attempts).toHaveLength(2);
    expect(run.started).toEqual(['a', 'ko', 'e', 'f', 'ko', 'c', 'f']);
    expect(run.execution.attemptNumber).toBe(2);
    expect(run.execution.labels).toContainEqual({ key: 'system.restarted', value: 'true' });
  });

  it('[E91] restarts a failed loop element and leaves its finished siblings alone', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aControl('ForEach', 'f', {
            values: ['a', 'b', 'c'],
            concurrencyLimit: 0,
            tasks: [aControl('Sequential', 's', { tasks: [aTask('x')] })],
          }),
        ],
      }),
      { x: 'HOLD' },
    ).start();
    const [first, second, third] = run.live.taskRuns().filter((entry) => entry.taskId === 'x');
    for (const [entry, state] of [
      [first, 'SUCCESS'],
      [second, 'FAILED'],
      [third, 'SUCCESS'],
    ] as const) {
      run.send({ type: 'taskEnded', taskRunId: entry!.id, attempt: 0, state });
    }
    expect(run.state).toBe('FAILED');
    run.reload().send({ type: 'restart' });
    run.send({ type: 'taskEnded', taskRunId: second!.id, attempt: 1, state: 'SUCCESS' });
    expect(run.state).toBe('SUCCESS');
    expect(run.live.taskRuns()).toHaveLength(7);
  });

  it('[E92] refuses what runs, and what has no failed task', () => {
    const running = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    expect(() => running.send({ type: 'restart' })).toThrow('only one that has ended');
    const fine = new Harness(aFlow({ tasks: [aTask('a')] })).start();
    expect(() => fine.send({ type: 'restart' })).toThrow('No task found to restart');
    expect(fine.history()).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
  });
});

describe('mark as', () => {
  it('[E93] SUCCESS lets the flow continue after the failed task', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko'), aTask('next')] }), { ko: 'FAILED' }).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('ko').id, state: 'SUCCESS' });
    expect(run.summary()).toEqual(['ko:SUCCESS', 'next:SUCCESS']);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E93] works below control tasks too', () => {
    const run = new Harness(
      aFlow({ tasks: [aControl('Sequential', 's', { tasks: [aTask('ko'), aTask('x')] }), aTask('next')] }),
      { ko: 'FAILED' },
    ).start();
    run.reload().send({ type: 'changeTaskRunState', taskRunId: run.runOf('ko').id, state: 'WARNING' });
    expect(run.summary()).toEqual(['s:WARNING', 'ko:WARNING', 'x:SUCCESS', 'next:SUCCESS']);
  });

  it('[E94] FAILED in the middle starts the errors', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('b')], errors: [aTask('e')] })).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('a').id, state: 'FAILED' });
    expect(run.state).toBe('FAILED');
    expect(run.started).toContain('e');
  });

  it('[E95] the status of an ended execution changes alone, between terminal states only', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }))
      .start()
      .send({ type: 'changeState', state: 'WARNING' });
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'SUCCESS', 'WARNING']);
    expect(() => run.send({ type: 'changeState', state: 'RUNNING' })).toThrow('terminal');
  });
});

describe('replay', () => {
  const environment = {
    catalogue: { find: () => undefined },
    newId: (() => {
      let n = 0;
      return () => `n${n++}`;
    })(),
    random: () => 0,
  };
  const replayed = (run: Harness, flow: ReturnType<typeof aFlow>, taskId?: string, value?: string) => {
    const source = { execution: run.live.execution, taskRuns: run.live.taskRuns() };
    const from = taskId === undefined ? {} : { taskRunId: run.runOf(taskId, value).id };
    return replay(flow, source, { id: 'again', now: run.now, ...from }, environment);
  };

  it('[E96] from the beginning: a new execution in CREATED without task runs', () => {
    const flow = aFlow({ tasks: [aTask('a')] });
    const { execution, taskRuns } = replayed(new Harness(flow, {}, { inputs: { x: 1 } }).start(), flow);
    expect(taskRuns).toEqual([]);
    expect(execution).toMatchObject({
      id: 'again',
      parentId: 'execution',
      originalId: 'execution',
      attemptNumber: 2,
      inputs: { x: 1 },
    });
    expect(execution.state.histories).toHaveLength(1);
    expect(execution.labels).toContainEqual({ key: 'system.replay', value: 'true' });
  });

  it('[E97] from a task run: earlier ones are kept, later ones go', () => {
    const flow = aFlow({ tasks: [aTask('a', { format: 'kept' }), aTask('b'), aTask('c')] });
    const { execution, taskRuns } = replayed(new Harness(flow).start(), flow, 'b');
    expect(taskRuns.map((entry) => `${entry.taskId}:${entry.state.current}`)).toEqual([
      'a:SUCCESS',
      'b:RESTARTED',
    ]);
    expect(execution.state.histories.map((entry) => entry.state)).toEqual(['CREATED', 'RESTARTED']);
    const live = new LiveRun(flow, execution, taskRuns, environment);
    live.recover(0);
    expect(live.takeChanges().effects.filter((effect) => effect.effect === 'run')).toHaveLength(1);
  });

  it('[E98] parallel siblings stay, later iterations of a sequential loop go', () => {
    const flow = aFlow({
      tasks: [
        aControl('ForEach', 'f', {
          values: ['1', '2', '3'],
          tasks: [aControl('Parallel', 'p', { tasks: [aTask('x'), aTask('y')] })],
        }),
        aTask('end'),
      ],
    });
    const run = new Harness(flow).start();
    const x = run.live.taskRuns().filter((entry) => entry.taskId === 'x')[1]!;
    const source = { execution: run.live.execution, taskRuns: run.live.taskRuns() };
    const { taskRuns } = replay(flow, source, { id: 'again', now: 0, taskRunId: x.id }, environment);
    expect(taskRuns.map((entry) => `${entry.taskId}${entry.value ?? ''}:${entry.state.current}`)).toEqual([
      'f:RUNNING',
      'p1:SUCCESS',
      'x:SUCCESS',
      'y:SUCCESS',
      'p2:RUNNING',
      'x:RESTARTED',
      'y:SUCCESS',
    ]);
  });

  it('[E99] an unknown task run is refused', () => {
    const flow = aFlow({ tasks: [aTask('a')] });
    const run = new Harness(flow).start();
    const source = { execution: run.live.execution, taskRuns: run.live.taskRuns() };
    expect(() => replay(flow, source, { id: 'x', now: 0, taskRunId: 'nope' }, environment)).toThrow(
      'No task found',
    );
  });
});
