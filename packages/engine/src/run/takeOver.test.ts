import { renderTyped } from '@millrace/expression';
import { describe, expect, it } from 'vitest';
import { LiveRun } from './live.ts';
import { replay } from './replay.ts';
import { restartAs } from './restartAs.ts';
import { aFlow, aTask, Harness } from './testing/harness.ts';

const environment = {
  catalogue: { find: () => undefined },
  newId: (() => {
    let n = 0;
    return () => `n${n++}`;
  })(),
  random: () => 0,
};
const sourceOf = (run: Harness) => ({ execution: run.live.execution, taskRuns: run.live.taskRuns() });
const states = (taskRuns: readonly { taskId: string; state: { current: string } }[]) =>
  taskRuns.map((entry) => `${entry.taskId}:${entry.state.current}`);

describe('restart on another revision', () => {
  it('[E90] is a new execution that keeps what had ended well', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('ko')], errors: [aTask('e')] }), {
      ko: 'FAILED',
    }).start();
    const next = aFlow({ revision: 2, tasks: [aTask('a'), aTask('ko'), aTask('new')] });
    const { execution, taskRuns } = restartAs(
      next,
      sourceOf(run),
      { id: 'again', now: run.now },
      environment,
    );
    expect(execution).toMatchObject({
      id: 'again',
      parentId: 'execution',
      originalId: 'execution',
      flowRevision: 2,
      attemptNumber: 2,
      state: { current: 'RESTARTED' },
    });
    expect(execution.closedAt).toBeUndefined();
    expect(states(taskRuns)).toEqual(['a:SUCCESS', 'ko:RESTARTED']);
    const known = new Set(run.live.taskRuns().map(({ id }) => id));
    expect(taskRuns.some(({ id }) => known.has(id))).toBe(false);
    const live = new LiveRun(next, execution, taskRuns, environment);
    live.recover(run.now);
    expect(live.takeChanges().effects.filter(({ effect }) => effect === 'run')).toHaveLength(1);
    expect(run.state).toBe('FAILED');
  });

  it('[E92] refuses what has no failed task', () => {
    const flow = aFlow({ tasks: [aTask('a')] });
    const run = new Harness(flow).start();
    expect(() => restartAs(flow, sourceOf(run), { id: 'x', now: 0 }, environment)).toThrow('No task found');
  });

  it('calls own child executions', () => {
    const call = aTask('call', { type: 'core.flow.Subflow', namespace: 'n', flowId: 'f', wait: true });
    const flow = aFlow({ tasks: [call] });
    const run = new Harness(flow).start();
    run.send({ type: 'childRefused', taskRunId: run.runOf('call').id, reason: 'gone', index: 0 });
    expect(run.state).toBe('FAILED');
    const { execution, taskRuns } = restartAs(
      flow,
      sourceOf(run),
      { id: 'again', now: run.now },
      environment,
    );
    const live = new LiveRun(flow, execution, taskRuns, environment);
    live.recover(run.now);
    const { effects } = live.takeChanges();
    expect(effects.find(({ effect }) => effect === 'createChild')).toMatchObject({
      attempt: 0,
      restart: false,
    });
  });
});

describe('replay', () => {
  it('[E97] from inside a shared folder starts the whole of it again', () => {
    const flow = aFlow({
      tasks: [
        aTask('w', { type: 'core.flow.WorkingDirectory', tasks: [aTask('x'), aTask('y')] }),
        aTask('end'),
      ],
    });
    const run = new Harness(flow).start();
    const { taskRuns } = replay(
      flow,
      sourceOf(run),
      { id: 'again', now: run.now, taskRunId: run.runOf('y').id },
      environment,
    );
    expect(states(taskRuns)).toEqual(['w:RESTARTED']);
  });

  it('marks its source, in any state', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    run.send({ type: 'replayed' }).send({ type: 'replayed' });
    const marks = run.execution.labels.filter(({ key }) => key === 'system.replayed');
    expect(marks).toEqual([{ key: 'system.replayed', value: 'true' }]);
    expect(run.state).toBe('RUNNING');
  });
});

describe('mark as', () => {
  it('[E93] refuses states that would never end', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko')] }), { ko: 'FAILED' }).start();
    const taskRunId = run.runOf('ko').id;
    for (const state of ['RUNNING', 'CREATED', 'PAUSED', 'KILLING', 'QUEUED'] as const) {
      expect(() => run.send({ type: 'changeTaskRunState', taskRunId, state })).toThrow('cannot be marked');
    }
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'FAILED']);
  });

  it('[E93] is refused while the execution is being killed', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    run.send({ type: 'kill', cascade: false });
    const mark = { type: 'changeTaskRunState', taskRunId: run.runOf('a').id, state: 'SUCCESS' } as const;
    expect(() => run.send(mark)).toThrow('KILLING');
  });
});

it('[E56] inputs for one pause never resume another', () => {
  const wait = (id: string) => aTask(id, { type: 'core.flow.Pause' });
  const run = new Harness(aFlow({ tasks: [wait('a'), wait('b')] })).start();
  const resume = { type: 'resume', inputs: { ok: true }, taskRunId: run.runOf('a').id } as const;
  run.send(resume);
  expect(() => run.send(resume)).toThrow('waits to be resumed');
  expect(run.summary()).toEqual(['a:SUCCESS', 'b:PAUSED']);
});

it('[E82] asks again for a shared folder that was being opened', () => {
  const flow = aFlow({ tasks: [aTask('w', { type: 'core.flow.WorkingDirectory', tasks: [aTask('x')] })] });
  const live = new LiveRun(flow, new Harness(flow).live.execution, [], environment);
  live.apply({ type: 'start' }, 1);
  const again = new LiveRun(flow, live.execution, live.taskRuns(), environment);
  again.recover(2);
  expect(again.takeChanges().effects.map(({ effect }) => effect)).toContain('openDirectory');
});

it('a host that hides secrets still knows which ones exist', async () => {
  const host = {
    now: () => 0,
    random: () => 0,
    id: () => 'x',
    hidesSecrets: true,
    secret: (key: string) => (key === 'known' ? '{"a":"b"}' : undefined),
  };
  const rendered = (text: string) => renderTyped(text, {}, host);
  expect(await rendered("{{ secret('known') | upper }}")).toBe('******');
  expect(await rendered("{{ secret('known', subkey='a') }}")).toBe('******');
  expect(() => rendered("{{ secret('unknown') }}")).toThrow('Cannot find secret');
});
