import { AppError, type Flow } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { hiddenText, keepHidden, sealed } from '../inputs/sealed.ts';
import { type Fork, fork } from './fork.ts';
import { LiveRun } from './live.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

let made = 0;
const environment = { catalogue: { find: () => undefined }, newId: () => `n${made++}`, random: () => 0 };

const statesOf = (runs: readonly { taskId: string; value?: string; state: { current: string } }[]) =>
  runs.map((run) => `${run.taskId}${run.value ?? ''}:${run.state.current}`);

function forked(run: Harness, flow: Flow, taskId: string, wanted: Partial<Fork> = {}) {
  const source = { execution: run.live.execution, taskRuns: run.live.taskRuns() };
  const taskRunId = source.taskRuns.find((one) => one.taskId === taskId)?.id ?? taskId;
  return fork(flow, source, { id: 'forked', now: 5, taskRunId, ...wanted }, environment);
}

/** Starts the fork as a server does and returns the task runs it continues with. */
function recovered(flow: Flow, { execution, taskRuns }: ReturnType<typeof fork>) {
  const live = new LiveRun(flow, execution, taskRuns, environment);
  live.recover(5);
  return live;
}

describe('fork', () => {
  const flow = aFlow({ tasks: [aTask('a'), aTask('b'), aTask('c')] });

  it('[E392] ends the task run with other outputs, and what follows runs with them', () => {
    const result = forked(new Harness(flow).start(), flow, 'b', { outputs: { value: 'edited' } });
    expect(statesOf(result.taskRuns)).toEqual(['a:SUCCESS', 'b:SUCCESS']);
    expect(result.taskRuns[0]).toMatchObject({ copied: true });
    expect(result.taskRuns[1]).toMatchObject({ edited: true, attempts: [], outputs: { value: 'edited' } });
    expect(result.taskRuns[1]?.copied).toBeUndefined();
    expect(result.execution).toMatchObject({ parentId: 'execution', originalId: 'execution' });
    expect(result.execution.labels).toContainEqual({ key: 'system.fork', value: 'execution' });
    const live = recovered(flow, result);
    expect(statesOf(live.taskRuns())).toEqual(['a:SUCCESS', 'b:SUCCESS', 'c:CREATED']);
    expect(live.variables().outputs).toMatchObject({ b: { value: 'edited' } });
  });

  it('[E392] runs the task again without outputs, with other inputs or another text', () => {
    const other = aFlow({ revision: -1, tasks: [aTask('a'), aTask('b'), aTask('d')] });
    const result = forked(new Harness(flow).start(), other, 'b', { inputs: { day: 'tue' } });
    expect(statesOf(result.taskRuns)).toEqual(['a:SUCCESS', 'b:RESTARTED']);
    expect(result.execution).toMatchObject({ inputs: { day: 'tue' }, flowRevision: -1 });
  });

  it('O-4.4 [E392] drops a loop of 20,000 iterations in a moment', () => {
    const values = Array.from({ length: 20_000 }, (_, index) => String(index));
    const loop = aControl('ForEach', 'loop', {
      values,
      concurrencyLimit: 0,
      tasks: [aTask('x'), aTask('y')],
    });
    const looped = aFlow({ tasks: [aTask('a'), loop, aTask('b')] });
    const run = new Harness(looped).start();
    expect(run.live.taskRuns()).toHaveLength(40_003);
    const startedAt = Date.now();
    const result = forked(run, looped, 'a', { outputs: { value: 'edited' } });
    expect(statesOf(result.taskRuns)).toEqual(['a:SUCCESS']);
    // Searching the loop for each removed run took 12 s of processor time; now it is one.
    expect(Date.now() - startedAt).toBeLessThan(8_000);
  });

  it('[E393] keeps what ended below a control task, and drops what was open there', () => {
    const nested = aFlow({
      tasks: [aControl('Sequential', 's', { tasks: [aTask('x'), aTask('y')] }), aTask('end')],
    });
    const run = new Harness(nested, { y: 'HOLD' });
    const result = forked(run.start(), nested, 's', { outputs: { total: 1 } });
    expect(statesOf(result.taskRuns)).toEqual(['s:SUCCESS', 'x:SUCCESS']);
    expect(statesOf(recovered(nested, result).taskRuns())).toContain('end:CREATED');
  });

  it('[E393] continues inside a loop: other values stay, the tasks after this one run', () => {
    const loop = aFlow({
      tasks: [aControl('ForEach', 'f', { values: ['1', '2'], tasks: [aTask('x'), aTask('y')] })],
    });
    const result = forked(new Harness(loop).start(), loop, 'x', { outputs: { value: 'edited' } });
    const states = statesOf(recovered(loop, result).taskRuns());
    expect(states.slice(0, 2)).toEqual(['f:RUNNING', 'x1:SUCCESS']);
    expect(states).toContain('y1:CREATED');
  });

  it('[E394] refuses what cannot be continued: an unknown task run, a removed task, a shared folder', () => {
    const run = new Harness(flow).start();
    expect(() => forked(run, flow, 'nothing')).toThrow('there is no task run "nothing"');
    const without = aFlow({ tasks: [aTask('a')] });
    expect(() => forked(run, without, 'b')).toThrow('the flow to run has no task "b"');
    const folder = aFlow({ tasks: [aControl('WorkingDirectory', 'w', { tasks: [aTask('x')] })] });
    const inFolder = new Harness(folder).start();
    expect(() => forked(inFolder, folder, 'x', { outputs: {} })).toThrow('fork from "w"');
    expect(() => forked(inFolder, folder, 'x', { outputs: {} })).toThrow(AppError);
    expect(statesOf(forked(inFolder, folder, 'w', { outputs: {} }).taskRuns)[0]).toBe('w:SUCCESS');
  });
});

it('[E394] values that were shown hidden keep their secrets', () => {
  const secret = sealed('cipher');
  const original = { password: secret, list: [secret, 'b'], plain: 'x' };
  expect(keepHidden({ password: hiddenText, list: [hiddenText, hiddenText], fresh: 1 }, original)).toEqual({
    password: secret,
    list: [secret, hiddenText],
    fresh: 1,
  });
  expect(keepHidden({ plain: hiddenText }, original)).toEqual({ plain: hiddenText });
});
