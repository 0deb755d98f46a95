/**
 * Faults that users of workflow products report again and again, as far as the engine can rule them out. Each test is
 * named after the report; the rule that rules it out stands in brackets.
 */
import type { Task } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { nextDate } from '../schedule/nextDate.ts';
import { enableTrigger } from '../schedule/switchTrigger.ts';
import { LiveRun } from './live.ts';
import { replay } from './replay.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

describe('runs that never end', () => {
  it('[E18] nested Parallel and Sequential never stay in CREATED', () => {
    let count = 0;
    const nest = (depth: number): Task =>
      depth === 0
        ? aTask(`leaf${count++}`)
        : aControl(depth % 2 ? 'Parallel' : 'Sequential', `c${count++}`, {
            tasks: [nest(depth - 1), nest(depth - 1)],
          });
    const run = new Harness(aFlow({ tasks: [nest(6)] })).start();
    expect(run.state).toBe('SUCCESS');
    expect(run.live.taskRuns().every((entry) => entry.state.current === 'SUCCESS')).toBe(true);
  });

  it('[E85] no task run continues after its execution was killed', () => {
    const run = new Harness(
      aFlow({
        tasks: [aControl('ForEach', 'f', { values: ['a', 'b'], concurrencyLimit: 0, tasks: [aTask('x')] })],
      }),
      { x: 'HOLD' },
    ).start();
    run.send({ type: 'kill', cascade: true });
    for (const { id } of run.live.taskRuns().filter((entry) => entry.taskId === 'x')) {
      run.send({ type: 'taskEnded', taskRunId: id, attempt: 0, state: 'KILLED' });
    }
    expect(run.summary()).toEqual(['f:KILLED', 'x[a]:KILLED', 'x[b]:KILLED']);
    expect(run.state).toBe('KILLED');
  });

  it('[E81] a worker that crashes does not leave its task RUNNING forever', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    run.send({ type: 'workerLost', taskRunId: run.runOf('a').id, attempt: 0 }).end('a');
    expect(run.state).toBe('SUCCESS');
  });

  it('[E80] the healthy duplicate of a task is not ended by the late word of the lost one', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    const { id } = run.runOf('a');
    run.send({ type: 'workerLost', taskRunId: id, attempt: 0 });
    run.send({ type: 'taskEnded', taskRunId: id, attempt: 0, state: 'KILLED' });
    run.send({ type: 'workerLost', taskRunId: id, attempt: 0 });
    expect(run.runOf('a').state.current).toBe('RUNNING');
  });

  it('[E66] the link to the child execution is there while the child runs', () => {
    const run = new Harness(
      aFlow({ tasks: [aControl('Subflow', 'sub', { namespace: 'n', flowId: 'child' })] }),
    ).start();
    run.send({ type: 'childCreated', taskRunId: run.runOf('sub').id, executionId: 'child1', index: 0 });
    expect(run.runOf('sub').outputs).toMatchObject({ executionId: 'child1' });
  });
});

describe('schedules', () => {
  const schedule = (more: object = {}) => ({
    id: 't',
    type: 'core.trigger.Schedule',
    cron: '0 * * * *',
    ...more,
  });
  const at = (text: string) => Date.parse(text);
  const off = { disabled: true };
  const context = { serverZone: 'UTC' };

  it('[E341] switching a schedule on again neither replays what was missed nor skips its next date', () => {
    const enabled = enableTrigger(
      schedule({ recoverMissedSchedules: 'NONE' }),
      off,
      at('2025-03-10T07:30:00Z'),
      context,
    );
    expect(enabled.nextAt).toBe(at('2025-03-10T08:00:00Z'));
    expect(enableTrigger(schedule(), off, at('2025-03-10T07:30:00Z'), context).nextAt).toBe(
      at('2025-03-10T08:00:00Z'),
    );
  });

  it('[E341] with LAST, exactly the last missed date is made up for', () => {
    const enabled = enableTrigger(
      schedule({ recoverMissedSchedules: 'LAST' }),
      off,
      at('2025-03-10T07:30:00Z'),
      context,
    );
    expect(enabled.nextAt).toBe(at('2025-03-10T07:00:00Z'));
  });

  it('[E304] the hour that a clock change skips or repeats makes no date appear twice', () => {
    const dates: number[] = [];
    const options = { timezone: 'Europe/Paris' };
    for (let date = at('2025-10-25T12:00:00Z'); dates.length < 3; ) {
      date = nextDate('30 2 * * *', { ...options, after: date })!;
      dates.push(date);
    }
    expect(new Set(dates.map((date) => new Date(date).toISOString().slice(0, 10))).size).toBe(3);
  });
});

describe('running again', () => {
  const environment = { catalogue: { find: () => undefined }, newId: () => `n${id++}`, random: () => 0 };
  let id = 0;
  const source = (run: Harness) => ({ execution: run.live.execution, taskRuns: run.live.taskRuns() });

  it('[E97] a wrong input is corrected and the run continues from the middle', () => {
    const flow = aFlow({ tasks: [aTask('a'), aTask('ko', { format: '{{ inputs.x }}' })] });
    const run = new Harness(flow, { ko: 'FAILED' }, { inputs: { x: 'wrong' } }).start();
    const wanted = { id: 'again', now: 0, taskRunId: run.runOf('ko').id, inputs: { x: 'right' } };
    const { execution, taskRuns } = replay(flow, source(run), wanted, environment);
    expect(execution.inputs).toEqual({ x: 'right' });
    expect(taskRuns.map((entry) => entry.state.current)).toEqual(['SUCCESS', 'RESTARTED']);
  });

  it('[E97] the definition is mended and earlier successes are kept', () => {
    const before = aFlow({ tasks: [aTask('a', { format: 'kept' }), aTask('ko')] });
    const run = new Harness(before, { ko: 'FAILED' }).start();
    const after = aFlow({ revision: 2, tasks: [aTask('a'), aTask('ko'), aTask('added')] });
    const again = replay(
      after,
      source(run),
      { id: 'again', now: 0, taskRunId: run.runOf('ko').id },
      environment,
    );
    const live = new LiveRun(after, again.execution, again.taskRuns, environment);
    live.recover(1);
    const handedOut = live.takeChanges().effects.filter((effect) => effect.effect === 'run');
    expect(handedOut.map((effect) => effect.effect === 'run' && effect.task.id)).toEqual(['ko']);
    expect(again.execution.flowRevision).toBe(2);
  });

  it('[E93] a task is marked as skipped and the rest runs', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko'), aTask('next')] }), { ko: 'FAILED' }).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('ko').id, state: 'SKIPPED' });
    expect(run.summary()).toEqual(['ko:SKIPPED', 'next:SUCCESS']);
  });

  it('[E91] restarting a loop does not create its children again', () => {
    const run = new Harness(
      aFlow({
        tasks: [aControl('ForEach', 'f', { values: ['a', 'b'], concurrencyLimit: 0, tasks: [aTask('x')] })],
      }),
      { x: 'HOLD' },
    ).start();
    const [first, second] = run.live.taskRuns().filter((entry) => entry.taskId === 'x');
    run.send({ type: 'taskEnded', taskRunId: first!.id, attempt: 0, state: 'SUCCESS' });
    run.send({ type: 'taskEnded', taskRunId: second!.id, attempt: 0, state: 'FAILED' });
    run.send({ type: 'restart' });
    expect(run.live.taskRuns().map((entry) => entry.id)).toEqual([run.runOf('f').id, first!.id, second!.id]);
    run.send({ type: 'taskEnded', taskRunId: second!.id, attempt: 1, state: 'SUCCESS' });
    expect(run.state).toBe('SUCCESS');
  });

  it('[E90] a parent follows its child: when the failed child is restarted and succeeds, so does the parent', () => {
    const run = new Harness(
      aFlow({ tasks: [aControl('Subflow', 'sub', { namespace: 'n', flowId: 'child' })] }),
    ).start();
    const taskRunId = run.runOf('sub').id;
    run.send({ type: 'childEnded', taskRunId, executionId: 'c', state: 'FAILED', index: 0 });
    run.send({ type: 'restart' });
    run.send({ type: 'childEnded', taskRunId, executionId: 'c', state: 'SUCCESS', index: 0 });
    expect(run.state).toBe('SUCCESS');
  });

  it('[E90] an execution can be restarted whatever failed: a second restart works like the first', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko')] }), { 'ko#0': 'FAILED', 'ko#1': 'FAILED' }).start();
    run.send({ type: 'restart' });
    expect(run.state).toBe('FAILED');
    run.send({ type: 'restart' });
    expect(run.state).toBe('SUCCESS');
    expect(run.execution.attemptNumber).toBe(3);
  });
});
