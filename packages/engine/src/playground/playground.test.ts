import type { Flow, Task } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { aControl, aFlow, aTask, Harness, type Script } from '../run/testing/harness.ts';
import { type PlaygroundWanted, planPlayground, reusableResults } from './planPlayground.ts';

const environment = { catalogue: { find: () => undefined }, newId: () => 'n', random: () => 0 };
const value = (id: string, format: string, more: object = {}): Task => aTask(id, { format, ...more });

/** Runs the flow once, then the chosen part of it with the outputs of that execution. */
function played(flow: Flow, wanted: PlaygroundWanted, first?: Script, edited: Flow = flow) {
  const before = first && new Harness(flow, first).start();
  const source = before && { execution: before.live.execution, taskRuns: before.live.taskRuns() };
  const known = source ? reusableResults(flow, source, environment) : [];
  const plan = planPlayground(edited, wanted, known);
  const run = new Harness(edited, {}, { kind: 'PLAYGROUND', playground: plan.playground }).start();
  return { plan, run, actions: plan.steps.map(({ taskId, action }) => `${taskId}:${action}`) };
}

const task = (taskId: string, more: Partial<PlaygroundWanted> = {}) =>
  ({ taskId, mode: 'task', ...more }) as const;
const upTo = (taskId: string, more: Partial<PlaygroundWanted> = {}) =>
  ({ taskId, mode: 'upTo', ...more }) as const;

describe('a playground execution', () => {
  const chain = aFlow({
    tasks: [
      value('a', 'one'),
      value('b', '{{ outputs.a.value }}!'),
      value('c', '{{ outputs.b.value }}?'),
      value('d', 'x'),
    ],
    errors: [value('alarm', 'failed')],
    finally: [value('tidy', 'up')],
    concurrency: { limit: 1, behavior: 'QUEUE' },
  });

  it('[E396] runs one task with the outputs of an earlier execution, and nothing after it', () => {
    const { run, actions } = played(chain, task('c'), {});
    expect(actions).toEqual(['a:reuse', 'b:reuse', 'c:run']);
    expect(run.started).toEqual(['c']);
    expect(run.summary()).toEqual(['a:SUCCESS', 'b:SUCCESS', 'c:SUCCESS']);
    expect(run.runOf('a')).toMatchObject({ copied: true, attempts: [] });
    expect(run.runOf('c').outputs).toEqual({ value: 'one!?' });
    expect(run.state).toBe('SUCCESS');
    expect(run.execution).toMatchObject({ kind: 'PLAYGROUND' });
    expect(run.execution.labels).toContainEqual({ key: 'system.playground', value: 'true' });
  });

  it('[E396] leaves earlier tasks without outputs out, or runs them up to the chosen one', () => {
    const alone = played(chain, task('d', { pins: { b: {} } }));
    expect(alone.actions).toEqual(['a:leaveOut', 'b:pin', 'c:leaveOut', 'd:run']);
    expect(alone.run.summary()).toEqual(['b:SUCCESS', 'd:SUCCESS']);
    const { run, actions } = played(chain, upTo('b'));
    expect(actions).toEqual(['a:run', 'b:run']);
    expect(run.started).toEqual(['a', 'b']);
    expect(run.runOf('b').outputs).toEqual({ value: 'one!' });
  });

  it('[E396] prefers pinned outputs, and runs a task again that the user names', () => {
    const pinned = played(chain, upTo('c', { pins: { b: { value: 'pinned' } } }), {});
    expect(pinned.actions).toEqual(['a:reuse', 'b:pin', 'c:run']);
    expect(pinned.run.runOf('b')).toMatchObject({ edited: true });
    expect(pinned.run.runOf('c').outputs).toEqual({ value: 'pinned?' });
    expect(played(chain, upTo('c', { again: ['b'] }), {}).run.started).toEqual(['b', 'c']);
  });

  it('[E397] continues after a restart with the same tasks', () => {
    const { plan } = played(chain, upTo('b'));
    const run = new Harness(chain, { b: 'HOLD' }, { playground: plan.playground }).start().reload();
    run.end('b');
    expect(run.summary()).toEqual(['a:SUCCESS', 'b:SUCCESS']);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E398] takes the branch of the chosen task; up to it the conditions apply', () => {
    const choice = aFlow({
      tasks: [
        aControl('If', 'if', {
          condition: 'false',
          then: [value('x', 'X'), value('y', '{{ outputs.x.value }}Y')],
          else: [value('z', 'Z')],
        }),
        aControl('Switch', 'switch', {
          value: 'q',
          cases: { p: [value('w', 'W')] },
          defaults: [value('v', 'V')],
        }),
      ],
    });
    const alone = played(choice, task('y', { pins: { x: { value: 'pin' } } }));
    expect(alone.run.summary()).toEqual(['if:SUCCESS', 'x:SUCCESS', 'y:SUCCESS']);
    expect(alone.run.runOf('y').outputs).toEqual({ value: 'pinY' });
    expect(played(choice, upTo('y')).run.summary()).toEqual(['if:SUCCESS']);
    expect(played(choice, task('w')).run.summary()).toEqual(['switch:SUCCESS', 'w:SUCCESS']);
    const after = played(choice, upTo('v'), {});
    expect(after.run.started).toEqual(['v']);
    expect(after.run.summary()).toContain('z:SUCCESS');
  });

  it('[E398] runs one value of a loop: the chosen one, or the first', () => {
    const loop = aFlow({
      tasks: [
        aControl('ForEach', 'each', {
          values: ['1', '2'],
          tasks: [value('x', '{{ taskrun.value }}'), value('y', '{{ outputs.x[taskrun.value].value }}!')],
        }),
        value('end', '{{ outputs.y["2"].value }}'),
      ],
    });
    const chosen = played(loop, task('y', { loopValues: { each: '2' } }), {});
    expect(chosen.plan.loops).toEqual(['each']);
    expect(chosen.run.summary()).toEqual(['each:SUCCESS', 'x[2]:SUCCESS', 'y[2]:SUCCESS']);
    expect(chosen.run.started).toEqual(['y']);
    expect(played(loop, upTo('y')).run.summary()).toEqual(['each:SUCCESS', 'x[1]:SUCCESS', 'y[1]:SUCCESS']);
    const end = played(loop, task('end'), {}).run;
    expect(end.started).toEqual(['end']);
    expect(end.runOf('end').outputs).toEqual({ value: '2!' });
  });

  it('[E398] runs a WorkingDirectory as a whole, and reuses it as a whole', () => {
    const folder = aFlow({
      tasks: [
        aControl('WorkingDirectory', 'w', { tasks: [value('x', 'X'), value('y', 'Y')] }),
        value('end', '{{ outputs.y.value }}'),
      ],
    });
    expect(played(folder, task('y')).run.summary()).toEqual(['w:SUCCESS', 'x:SUCCESS', 'y:SUCCESS']);
    const reused = played(folder, task('end'), {});
    expect(reused.run.started).toEqual(['end']);
    expect(reused.run.effects.some(({ effect }) => effect === 'openDirectory')).toBe(false);
    expect(played(folder, upTo('end', { again: ['x'] }), {}).run.started).toEqual(['x', 'y', 'end']);
  });

  it('[E398] runs nothing beside the chosen task in Parallel, and the dependencies in a Dag', () => {
    const beside = aFlow({
      tasks: [
        aControl('Parallel', 'p', { tasks: [value('x', 'X'), value('y', 'Y')] }),
        aControl('Dag', 'dag', {
          tasks: [
            { task: value('one', '1') },
            { task: value('two', '{{ outputs.one.value ?? 0 }}2'), dependsOn: ['one'] },
            { task: value('three', '3') },
          ],
        }),
      ],
    });
    expect(played(beside, upTo('y')).run.started).toEqual(['y']);
    expect(played(beside, upTo('two', { pins: { x: {}, y: {} } })).run.started).toEqual(['one', 'two']);
    expect(played(beside, task('two')).run.started).toEqual(['two']);
  });

  it('[E398] runs a handler of the flow after the tasks that have outputs', () => {
    const { run } = played(chain, task('tidy'), { c: 'FAILED' });
    expect(run.started).toEqual(['tidy']);
    expect(run.summary()).toEqual(['a:SUCCESS', 'b:SUCCESS', 'tidy:SUCCESS']);
  });

  it('[E399] says why a task cannot run', () => {
    const flow = aFlow({
      tasks: [
        aControl('Sequential', 's', { tasks: [value('x', 'X')], errors: [value('e', 'E')] }),
        value('off', 'x', { disabled: true }),
      ],
    });
    expect(() => planPlayground(flow, task('nothing'), [])).toThrow('The flow has no task "nothing".');
    expect(() => planPlayground(flow, task('off'), [])).toThrow('is disabled');
    expect(() => planPlayground(flow, task('e'), [])).toThrow('Execute "s" instead');
  });
});
