import { stateTimes } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { LiveRun } from './live.ts';
import { replay } from './replay.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

const minute = 60_000;
const failOnce = { ko: 'SUCCESS', 'ko#0': 'FAILED' } as const;

/** Runs the flow to its failure, loads it again as a server does, and restarts it. */
function restarted(run: Harness): Harness {
  run.now += 45 * minute;
  return run.reload().send({ type: 'restart' });
}

describe('[E370] a restart runs only what failed and always ends', () => {
  it('inside a Pause with tasks', () => {
    const flow = aFlow({
      tasks: [aControl('Pause', 'p', { delay: 'PT1S', tasks: [aTask('a'), aTask('ko'), aTask('b')] })],
    });
    const run = new Harness(flow, failOnce).start().wake();
    expect(run.state).toBe('FAILED');
    restarted(run);
    expect(run.state).toBe('SUCCESS');
    expect(run.started).toEqual(['a', 'ko', 'ko', 'b']);
  });

  it('after AllowFailure, and after allowFailure of a control task', () => {
    for (const tolerant of [
      aControl('AllowFailure', 'p', { tasks: [aTask('ko')] }),
      aControl('Sequential', 'p', { allowFailure: true, tasks: [aTask('ko')] }),
    ]) {
      const run = new Harness(aFlow({ tasks: [tolerant, aTask('b'), aTask('c')] }), failOnce).start();
      expect(run.state).toBe('WARNING');
      restarted(run);
      expect(run.state).toBe('SUCCESS');
      expect(run.started).toEqual(['ko', 'b', 'c', 'ko']);
    }
  });

  it('after allowFailure of a plain task, also when allowWarning shows it as a success', () => {
    for (const more of [{ allowFailure: true }, { allowFailure: true, allowWarning: true }]) {
      const tasks = [aTask('a'), aTask('ko', more), aTask('b')];
      const run = new Harness(aFlow({ tasks, finally: [aTask('f')] }), failOnce).start();
      expect(run.state).toBe('allowWarning' in more ? 'SUCCESS' : 'WARNING');
      restarted(run);
      expect(run.state).toBe('SUCCESS');
      expect(run.started).toEqual(['a', 'ko', 'b', 'f', 'ko', 'f']);
      expect(run.runOf('ko').attempts).toHaveLength(2);
      expect(() => restarted(run)).toThrow('No task found to restart');
    }
  });

  it('after an allowed failure without a failed attempt, and not after its state was changed', () => {
    const lost = new Harness(aFlow({ tasks: [aTask('a', { allowFailure: true })] }), { a: 'HOLD' }).start();
    for (const attempt of [0, 1, 2])
      lost.send({ type: 'workerLost', taskRunId: lost.runOf('a').id, attempt });
    expect(lost.state).toBe('WARNING');
    restarted(lost).end('a');
    expect(lost.state).toBe('SUCCESS');
    const loop = { condition: 'false', failOnMaxReached: true, checkFrequency: { maxIterations: 1 } };
    const tolerant = aControl('LoopUntil', 'l', { ...loop, allowFailure: true, tasks: [aTask('a')] });
    const run = new Harness(aFlow({ tasks: [tolerant] })).start();
    expect(run.state).toBe('WARNING');
    restarted(run);
    expect(run.started).toEqual(['a', 'a']);
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('l').id, state: 'WARNING' });
    expect(() => restarted(run)).toThrow('No task found to restart');
  });

  it('with the whole WorkingDirectory, because its files no longer exist', () => {
    const tasks = [aTask('a'), aTask('ko', { allowFailure: true }), aTask('b')];
    const run = new Harness(aFlow({ tasks: [aControl('WorkingDirectory', 'w', { tasks })] }), failOnce);
    expect(run.start().state).toBe('WARNING');
    restarted(run);
    expect(run.started).toEqual(['a', 'ko', 'b', 'a', 'ko', 'b']);
    expect(run.live.hasEnded()).toBe(true);
  });

  it('only with what was not allowed to fail, when something else failed', () => {
    const tasks = [aTask('tolerated', { allowFailure: true }), aTask('ko')];
    const run = new Harness(aFlow({ tasks }), { ...failOnce, tolerated: 'FAILED' }).start();
    restarted(run);
    expect(run.state).toBe('WARNING');
    expect(run.started).toEqual(['tolerated', 'ko', 'ko']);
  });

  it('inside a loop', () => {
    const tasks = [aControl('AllowFailure', 'p', { tasks: [aTask('ko')] }), aTask('b')];
    const run = new Harness(
      aFlow({ tasks: [aControl('ForEach', 'f', { values: ['1', '2'], tasks }), aTask('c')] }),
      failOnce,
    ).start();
    expect(run.state).toBe('WARNING');
    restarted(run);
    expect(run.state).toBe('SUCCESS');
    expect(run.started).toEqual(['ko', 'b', 'ko', 'b', 'c', 'ko', 'ko']);
  });

  it('after a task in the middle of a finished list was changed to FAILED', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('b'), aTask('c')] })).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('b').id, state: 'FAILED' });
    expect(run.state).toBe('FAILED');
    restarted(run);
    expect(run.state).toBe('SUCCESS');
    expect(run.started).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps errors and finally of control tasks that stay as they were', () => {
    const done = aControl('Sequential', 's', { tasks: [aTask('a')], finally: [aTask('f')] });
    const run = new Harness(aFlow({ tasks: [done, aTask('ko')], finally: [aTask('end')] }), failOnce).start();
    restarted(run);
    expect(run.state).toBe('SUCCESS');
    expect(run.started).toEqual(['a', 'f', 'ko', 'end', 'ko', 'end']);
  });

  it('with the siblings that a limit had interrupted', () => {
    const flow = aFlow({
      sla: [{ id: 'sla', type: 'MAX_DURATION', duration: 'PT1M', behavior: 'FAIL' }],
      tasks: [aControl('Parallel', 'p', { tasks: [aTask('x'), aTask('y')] })],
    });
    const run = new Harness(flow, { 'x#0': 'HOLD', 'y#0': 'HOLD' }).start().wake();
    run.end('x', 'KILLED');
    expect(run.summary()).toEqual(['p:KILLED', 'x:KILLED', 'y:FAILED']);
    restarted(run);
    expect(run.state).toBe('SUCCESS');
  });
});

it('[E371] a restart renders runIf again and may be retried as often as the first start', () => {
  const runIf = '{{ taskrun.attemptsCount == 0 }}';
  const skipped = new Harness(aFlow({ tasks: [aTask('ko', { runIf })] }), failOnce).start();
  restarted(skipped);
  expect(skipped.summary()).toEqual(['ko:SKIPPED']);
  const retry = { type: 'constant', interval: 'PT1S', maxAttempt: 2, warningOnRetry: true };
  const answers = { ko: 'SUCCESS', 'ko#0': 'FAILED', 'ko#1': 'FAILED', 'ko#2': 'FAILED' } as const;
  const run = new Harness(aFlow({ tasks: [aTask('ko', { retry })] }), answers).start().wake();
  expect(run.state).toBe('FAILED');
  restarted(run).wake();
  expect(run.state).toBe('WARNING');
});

describe('limits and times', () => {
  const sla = [{ id: 'sla', type: 'MAX_DURATION' as const, duration: 'PT1M', behavior: 'FAIL' as const }];

  it('[E28] MAX_DURATION counts again from a restart, and an earlier deadline is void', () => {
    const run = new Harness(aFlow({ sla, tasks: [aTask('ko')] }), { 'ko#0': 'FAILED', ko: 'HOLD' }).start();
    restarted(run).wake();
    expect(run.state).toBe('RUNNING');
    run.wake();
    expect(run.state).toBe('FAILED');
    expect(run.now).toBe(1_700_000_000_000 + 46 * minute);
  });

  it('[E28] a replay from a task counts from its own start', () => {
    const flow = aFlow({ sla, tasks: [aTask('a'), aTask('b')] });
    const run = new Harness(flow).start();
    const at = run.now + 45 * minute;
    let id = 0;
    const environment = { catalogue: { find: () => undefined }, newId: () => `n${id++}`, random: () => 0 };
    const source = { execution: run.live.execution, taskRuns: run.live.taskRuns() };
    const taskRunId = run.runOf('b').id;
    const { execution, taskRuns } = replay(flow, source, { id: 'again', now: at, taskRunId }, environment);
    const live = new LiveRun(flow, execution, taskRuns, environment);
    expect(live.wakes()).toEqual([{ reason: 'sla', slaId: 'sla', at: at + minute }]);
    expect(stateTimes(execution.state, at)).toMatchObject({ startedAt: at, durationMs: 0 });
    expect(taskRuns.map((one) => [one.taskId, one.copied, one.attempts.length])).toEqual([
      ['a', true, 1],
      ['b', undefined, 0],
    ]);
    expect(stateTimes(taskRuns[1]!.state, at).startedAt).toBe(at);
  });

  it('[E28] the wait for a scheduled date does not count', () => {
    const scheduledAt = 1_700_000_000_000 + 45 * minute;
    const run = new Harness(aFlow({ sla, tasks: [aTask('a')] }), { a: 'HOLD' }, { scheduledAt })
      .start()
      .wake();
    expect(run.state).toBe('RUNNING');
    expect(run.live.wakes()).toEqual([{ reason: 'sla', slaId: 'sla', at: scheduledAt + minute }]);
  });

  it('[E372] a duration is the time that something was open', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko')] }), { ko: 'HOLD' }).start();
    run.now += 14;
    run.end('ko', 'FAILED');
    const failedAt = run.now;
    run.now += 45 * minute;
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('ko').id, state: 'SUCCESS' });
    expect(run.state).toBe('SUCCESS');
    expect(stateTimes(run.runOf('ko').state, run.now)).toMatchObject({ durationMs: 14, endedAt: failedAt });
    expect(stateTimes(run.execution.state, run.now)).toMatchObject({ durationMs: 14, endedAt: run.now });
  });
});

describe('changing a state', () => {
  it('[E93] continues with the next task, and runs errors and finally again', () => {
    const flow = aFlow({ tasks: [aTask('ko'), aTask('b')], errors: [aTask('e')], finally: [aTask('f')] });
    const run = new Harness(flow, { ko: 'FAILED' }).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('ko').id, state: 'SUCCESS' });
    expect(run.state).toBe('SUCCESS');
    expect(run.summary()).toEqual(['ko:SUCCESS', 'b:SUCCESS', 'f:SUCCESS']);
  });

  it('[E93] ends what runs below a control task that is ended', () => {
    const flow = aFlow({ tasks: [aControl('Sequential', 's', { tasks: [aTask('a')] }), aTask('b')] });
    const run = new Harness(flow, { a: 'HOLD' }).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('s').id, state: 'SUCCESS' });
    expect(run.summary()).toEqual(['s:SUCCESS', 'a:KILLED', 'b:SUCCESS']);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E373] a repaired child repairs the task run that called it, and its execution continues', () => {
    const call = aTask('call', { type: 'core.flow.Subflow', namespace: 'n', flowId: 'f' });
    const run = new Harness(aFlow({ tasks: [call, aTask('b')] })).start();
    const child = { taskRunId: run.runOf('call').id, index: 0, executionId: 'child' };
    run.send({ type: 'childCreated', ...child }).send({ type: 'childEnded', ...child, state: 'FAILED' });
    expect(run.state).toBe('FAILED');
    run.reload().send({ type: 'childEnded', ...child, executionId: 'another', state: 'SUCCESS' });
    expect(run.state).toBe('FAILED');
    run.reload().send({ type: 'childEnded', ...child, state: 'SUCCESS', outputs: { x: 1 } });
    expect(run.state).toBe('SUCCESS');
    expect(run.summary()).toEqual(['call:SUCCESS', 'b:SUCCESS']);
    expect(run.runOf('call').outputs).toEqual({ executionId: 'child', state: 'SUCCESS', outputs: { x: 1 } });
  });
});

describe('a process that starts again', () => {
  it('[E82] does not repeat the children of a Pause whose delay has passed', () => {
    const flow = aFlow({
      tasks: [aControl('Pause', 'p', { delay: 'PT1S', tasks: [aTask('a'), aTask('b')] })],
    });
    const run = new Harness(flow, { b: 'HOLD' }).start().wake();
    expect(run.reload().live.wakes()).toEqual([]);
    run.end('b');
    expect(run.started).toEqual(['a', 'b']);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E46] keeps the first of two answers from outside', () => {
    const flow = aFlow({
      tasks: [aControl('If', 'i', { condition: "{{ kv('x') }}", then: [aTask('a')], else: [aTask('b')] })],
    });
    const run = new Harness(flow, { a: 'HOLD' }).start();
    const answer = { type: 'resolved', taskRunId: run.runOf('i').id, key: 'condition' } as const;
    run.send({ ...answer, result: { value: 'yes' } }).send({ ...answer, result: { value: '' } });
    run.reload().end('a');
    expect(run.summary()).toEqual(['i:SUCCESS', 'a:SUCCESS']);
  });
});
