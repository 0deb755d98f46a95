import type { Task } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { aControl, aFlow, aTask, Harness, type Script } from '../run/testing/harness.ts';

const run = (tasks: Task[], script: Script = {}, inputs: Record<string, unknown> = {}) =>
  new Harness(aFlow({ tasks }), script, { inputs }).start();

describe('Parallel', () => {
  const tasks = [aTask('a'), aTask('b'), aTask('c')];

  it('[E30] starts all children at once', () => {
    const held = run([aControl('Parallel', 'p', { tasks })], { a: 'HOLD', b: 'HOLD', c: 'HOLD' });
    expect(held.started).toEqual(['a', 'b', 'c']);
    held.end('a').end('b').end('c');
    expect(held.state).toBe('SUCCESS');
  });

  it('[E31] starts at most `concurrent` children at a time', () => {
    const held = run([aControl('Parallel', 'p', { tasks, concurrent: 2 })], {
      a: 'HOLD',
      b: 'HOLD',
      c: 'HOLD',
    });
    expect(held.started).toEqual(['a', 'b']);
    held.end('b');
    expect(held.started).toEqual(['a', 'b', 'c']);
  });

  it('[E32] fails at the first failure; siblings that run still record their result', () => {
    const held = run([aControl('Parallel', 'p', { tasks, concurrent: 2 })], {
      a: 'HOLD',
      b: 'FAILED',
      c: 'HOLD',
    });
    expect(held.summary()).toEqual(['p:FAILED', 'a:RUNNING', 'b:FAILED']);
    expect(held.state).toBe('FAILED');
    expect(held.live.hasEnded()).toBe(false);
    held.end('a');
    expect(held.summary()).toEqual(['p:FAILED', 'a:SUCCESS', 'b:FAILED']);
    expect(held.live.hasEnded()).toBe(true);
  });

  it('[E33] a container beside the failure starts nothing more and is called off', () => {
    const held = run(
      [
        aControl('Parallel', 'p', {
          tasks: [aTask('ko'), aControl('Sequential', 's', { tasks: [aTask('slow'), aTask('never')] })],
        }),
      ],
      { ko: 'HOLD', slow: 'HOLD' },
    );
    held.end('ko', 'FAILED');
    held.end('slow');
    expect(held.summary()).toEqual(['p:FAILED', 'ko:FAILED', 's:CANCELLED', 'slow:SUCCESS']);
    expect(held.live.hasEnded()).toBe(true);
  });
});

describe('Dag', () => {
  const entry = (id: string, ...dependsOn: string[]) => ({ task: aTask(id), dependsOn });

  it('[E34] starts a child when everything it depends on has ended', () => {
    const held = run(
      [aControl('Dag', 'd', { tasks: [entry('a'), entry('b', 'a'), entry('c', 'a'), entry('e', 'b', 'c')] })],
      {
        b: 'HOLD',
        c: 'HOLD',
      },
    );
    expect(held.started).toEqual(['a', 'b', 'c']);
    held.end('c');
    expect(held.started).not.toContain('e');
    held.end('b');
    expect(held.started).toEqual(['a', 'b', 'c', 'e']);
    expect(held.state).toBe('SUCCESS');
  });

  it('[E34] a disabled dependency does not block', () => {
    const done = run([
      aControl('Dag', 'd', { tasks: [{ task: aTask('a', { disabled: true }) }, entry('b', 'a')] }),
    ]);
    expect(done.summary()).toEqual(['d:SUCCESS', 'b:SUCCESS']);
  });

  it('[E32] a failure stops the rest', () => {
    const done = run([aControl('Dag', 'd', { tasks: [entry('a'), entry('b', 'a')] })], { a: 'FAILED' });
    expect(done.summary()).toEqual(['d:FAILED', 'a:FAILED']);
  });
});

describe('If and Switch', () => {
  const choice = aControl('If', 'if', {
    condition: '{{ inputs.go }}',
    then: [aTask('yes')],
    else: [aTask('no')],
  });

  it.each([
    [true, ['if:SUCCESS', 'yes:SUCCESS']],
    ['text', ['if:SUCCESS', 'yes:SUCCESS']],
    [false, ['if:SUCCESS', 'no:SUCCESS']],
    [0, ['if:SUCCESS', 'no:SUCCESS']],
    ['', ['if:SUCCESS', 'no:SUCCESS']],
    ['-0', ['if:SUCCESS', 'no:SUCCESS']],
  ])('[E35] If takes the branch its condition %j says', (go, runs) => {
    const done = run([choice], {}, { go });
    expect(done.summary()).toEqual(runs);
    expect(done.runOf('if').outputs).toEqual({ evaluationResult: runs[1] === 'yes:SUCCESS' });
  });

  it('[E35] a missing else branch is a success without children', () => {
    expect(run([aControl('If', 'if', { condition: 'false', then: [aTask('yes')] })]).summary()).toEqual([
      'if:SUCCESS',
    ]);
  });

  it('[E36] a condition that cannot be rendered fails the task with the reason in its log', () => {
    const done = run([aControl('If', 'if', { condition: '{{ inputs.nope }}', then: [aTask('yes')] })]);
    expect(done.state).toBe('FAILED');
    expect(done.logs.join()).toContain('nope');
  });

  const choose = (value: string, more: object = {}) =>
    run(
      [
        aControl('Switch', 's', {
          value: '{{ inputs.v }}',
          cases: { one: [aTask('a')], 2: [aTask('b')] },
          ...more,
        }),
      ],
      {},
      { v: value },
    );

  it('[E37] Switch runs the case whose key equals the value', () => {
    expect(choose('one').summary()).toEqual(['s:SUCCESS', 'a:SUCCESS']);
    expect(choose('2').summary()).toEqual(['s:SUCCESS', 'b:SUCCESS']);
    expect(choose('2').runOf('s').outputs).toEqual({ value: '2', defaults: false });
  });

  it('[E37] Switch falls back to its defaults, also without cases', () => {
    const done = choose('x', { defaults: [aTask('d')] });
    expect(done.summary()).toEqual(['s:SUCCESS', 'd:SUCCESS']);
    expect(done.runOf('s').outputs).toEqual({ value: 'x', defaults: true });
    expect(run([aControl('Switch', 's', { value: 'x', defaults: [aTask('d')] })]).state).toBe('SUCCESS');
  });

  it('[E38] Switch with defaults of null fails without a match', () => {
    const task = aControl('Switch', 's', { value: 'z', cases: { a: [aTask('a')] }, defaults: null });
    const run = new Harness(aFlow({ tasks: [task] })).start();
    expect(run.summary()).toEqual(['s:FAILED']);
  });

  it('[E38] Switch without a match and without defaults fails and says why', () => {
    const done = choose('constructor');
    expect(done.state).toBe('FAILED');
    expect(done.logs.join()).toContain('"constructor"');
  });
});

describe('loops over values', () => {
  const two = [aTask('x', { format: '{{ taskrun.value }}-{{ taskrun.iteration }}' }), aTask('y')];

  it('[E40] ForEach runs values one after the other by default', () => {
    const held = run([aControl('ForEach', 'f', { values: ['p', 'q'], tasks: two })], { x: 'HOLD' });
    expect(held.summary()).toEqual(['f:RUNNING', 'x[p]:RUNNING']);
    held.end('x', 'SUCCESS', 'p');
    expect(held.summary()).toEqual(['f:RUNNING', 'x[p]:SUCCESS', 'y[p]:SUCCESS', 'x[q]:RUNNING']);
  });

  it('[E41] with a limit, that many values run at a time and their tasks in order', () => {
    const held = run(
      [aControl('ForEach', 'f', { values: ['p', 'q', 'r'], concurrencyLimit: 2, tasks: two })],
      { x: 'HOLD' },
    );
    expect(held.summary()).toEqual(['f:RUNNING', 'x[p]:RUNNING', 'x[q]:RUNNING']);
    held.end('x', 'SUCCESS', 'q');
    expect(held.summary()).toEqual([
      'f:RUNNING',
      'x[p]:RUNNING',
      'x[q]:SUCCESS',
      'y[q]:SUCCESS',
      'x[r]:RUNNING',
    ]);
  });

  it.each([
    ['a JSON text', '[1, 2]', ['1', '2']],
    ['an expression', '{{ inputs.list }}', ['a', 'b']],
    ['texts, numbers and maps', ['{{ inputs.list[0] }}', 3, { k: 'v' }], ['a', '3', '{"k":"v"}']],
    ['duplicates, kept once', '["a", "b", "a"]', ['a', 'b']],
  ])('[E42] the values are %s', (_, values, expected) => {
    const done = run([aControl('ForEach', 'f', { values, tasks: [aTask('x')] })], {}, { list: ['a', 'b'] });
    expect(
      done.live
        .taskRuns()
        .slice(1)
        .map((entry) => entry.value),
    ).toEqual(expected);
  });

  it.each([
    ['a null', '[1, null]', 'null value'],
    ['no list', 'text', 'JSON list'],
    ['a number', '3', 'must be a list'],
  ])('[E42] %s among or instead of the values fails the loop', (_, values, reason) => {
    const done = run([aControl('ForEach', 'f', { values, tasks: [aTask('x')] })]);
    expect(done.summary()).toEqual(['f:FAILED']);
    expect(done.logs.join()).toContain(reason);
  });

  it('[E43] an empty list is a success without children', () => {
    expect(run([aControl('ForEach', 'f', { values: '[]', tasks: [aTask('x')] })]).summary()).toEqual([
      'f:SUCCESS',
    ]);
  });

  it('[E44] EachParallel runs every value and task independently', () => {
    const held = run([aControl('EachParallel', 'e', { value: '["p", "q"]', tasks: two })], { x: 'HOLD' });
    expect(held.started).toEqual(['x', 'y', 'x', 'y']);
  });

  it('[E45] outputs of nested loops are keyed by the values, outermost first', () => {
    const done = run([
      aControl('ForEach', 'outer', {
        values: ['v1', 'v2'],
        tasks: [
          aControl('ForEach', 'inner', {
            values: ['x', 'y'],
            tasks: [aTask('r', { format: '{{ parent.taskrun.value }}{{ taskrun.value }}' })],
          }),
        ],
      }),
      aTask('last', { format: '{{ outputs.r.v1.y.value }} {{ outputs.r.v2.x.value }}' }),
    ]);
    expect(done.runOf('last').outputs).toEqual({ value: 'v1y v2x' });
  });

  it('[E45] item holds the value and the index of the innermost loop at any depth, and Loop is ForEach', () => {
    const done = run([
      aControl('Loop', 'outer', {
        values: ['p', 'q'],
        tasks: [
          aControl('If', 'choose', {
            condition: '{{ item.index == 1 }}',
            then: [
              aTask('own', { format: '{{ item.value }}{{ item.index }}' }),
              aControl('ForEach', 'inner', {
                values: [{ k: 'x' }],
                tasks: [aTask('deep', { format: '{{ fromJson(item.value).k }}{{ item.index }}' })],
              }),
            ],
          }),
        ],
      }),
    ]);
    expect(done.state).toBe('SUCCESS');
    expect([done.runOf('own').outputs, done.runOf('deep').outputs]).toEqual([
      { value: 'q1' },
      { value: 'x0' },
    ]);
  });

  it('[E46] the values are decided once: a reload in the middle decides the same', () => {
    const held = run(
      [aControl('ForEach', 'f', { values: '{{ [execution.startDate, "b"] }}', tasks: [aTask('x')] })],
      {
        x: 'HOLD',
      },
    );
    expect(held.logs).toEqual([]);
    const before = held.runOf('f').memo;
    held.reload();
    held.end('x');
    expect(held.runOf('f').memo).toEqual(before);
    expect(held.live.taskRuns()).toHaveLength(3);
  });

  it('[E354] a loop with more task runs than can be loaded again fails before its first iteration', () => {
    const many = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
    const tasks = Array.from({ length: 6 }, (_, index) => aTask(`x${index}`));
    const choice = aControl('If', 'choice', { condition: '{{ true }}', then: tasks, else: tasks });
    for (const type of ['ForEach', 'EachParallel']) {
      const loop = aControl(type, 'f', { values: many, value: many, tasks: [...tasks, choice] });
      const done = new Harness(aFlow({ tasks: [loop] })).start();
      expect(done.summary()).toEqual(['f:FAILED']);
      expect(done.logs.join()).toContain(
        'The loop would have 1,300,000 task runs (100,000 iterations of 13 tasks), but an execution may have at most 1,000,000.',
      );
    }
  });

  describe('with a limit of five iterations', () => {
    const values = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => index));
    const limited = (tasks: Task[], script: Script = {}) =>
      new Harness(aFlow({ tasks }), script, {}, { maxIterations: 5 }).start();

    it.each([
      ['ForEach', 'values'],
      ['EachSequential', 'value'],
      ['EachParallel', 'value'],
    ])('[E354] %s fails before its first iteration when it has more', (type, property) => {
      const loop = (count: number) => aControl(type, 'f', { [property]: values(count), tasks: [aTask('x')] });
      expect(limited([loop(5)]).state).toBe('SUCCESS');
      const done = limited([loop(6)]);
      expect(done.summary()).toEqual(['f:FAILED']);
      expect(done.logs.join()).toContain('The loop has 6 iterations');
      expect(done.logs.join()).toContain('at most 5');
      expect(done.logs.join()).toContain('executions.maxIterations');
    });

    it('[E354] nested loops are counted together, also after a reload in the middle', () => {
      const inner = aControl('ForEach', 'inner', { values: values(2), tasks: [aTask('x')] });
      const held = limited([aControl('ForEach', 'outer', { values: values(2), tasks: [inner] })], {
        x: 'HOLD',
      });
      held.end('x', 'SUCCESS', '0').reload();
      held.end('x', 'SUCCESS', '1');
      expect(held.runOf('inner', '1').state.current).toBe('FAILED');
      expect(held.logs.join()).toContain('The loop has 2 iterations and the loops before it have 4');
    });

    it('[E354] LoopUntil fails when it is not done after as many rounds', () => {
      const done = limited([
        aControl('LoopUntil', 'l', {
          condition: '{{ false }}',
          checkFrequency: { maxIterations: 1_000 },
          tasks: [aTask('x')],
        }),
      ]);
      while (done.pendingWakes > 0) done.wake();
      expect(done.runOf('l').state.current).toBe('FAILED');
      expect(done.runOf('l').outputs).toMatchObject({ iterationCount: 5 });
      expect(done.logs.join()).toContain('at most 5');
    });

    it('[E354] a round of LoopUntil forgets the loops of the round before', () => {
      const done = limited([
        aControl('LoopUntil', 'l', {
          condition: '{{ false }}',
          checkFrequency: { maxIterations: 4 },
          tasks: [aControl('ForEach', 'f', { values: values(3), tasks: [aTask('x')] })],
        }),
      ]);
      while (done.pendingWakes > 0) done.wake();
      expect(done.state).toBe('SUCCESS');
    });
  });

  it('[E42] a message about the values quotes the beginning of a long list', () => {
    const list = JSON.stringify([...Array.from({ length: 1_000 }, (_, index) => index), null]);
    const done = run([aControl('ForEach', 'f', { values: list, tasks: [aTask('x')] })]);
    expect(done.logs.join().length).toBeLessThan(400);
  });
});
