import type { Task } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { aFlow, aTask, Harness } from '../run/testing/harness.ts';

const act = (type: string, more: Record<string, unknown>): Task =>
  aTask('act', { type: `core.execution.${type}`, ...more });

describe('tasks that change the execution', () => {
  it.each([
    ['SUCCESS', 'SUCCESS'],
    ['WARNING', 'WARNING'],
    ['FAILED', 'FAILED'],
    ['KILLED', 'KILLED'],
    ['CANCELED', 'CANCELLED'],
  ])(
    '[E21] Exit with %s ends the execution %s; nothing more starts but afterExecution',
    (state, expected) => {
      const run = new Harness(
        aFlow({
          tasks: [
            aTask('s', { type: 'core.flow.Sequential', tasks: [act('Exit', { state })] }),
            aTask('next'),
          ],
          errors: [aTask('e')],
          finally: [aTask('f')],
          afterExecution: [aTask('after')],
        }),
      ).start();
      expect(run.state).toBe(expected);
      expect(run.summary()).toEqual([`s:${expected}`, `act:${expected}`, 'after:SUCCESS']);
      expect(run.live.hasEnded()).toBe(true);
    },
  );

  it('takes expressions for switches, maps and lists, and names what renders to something else', () => {
    const run = (...tasks: Task[]) =>
      new Harness(aFlow({ variables: { yes: true, names: ['a', 'nope'] }, tasks })).start();
    const set = act('SetVariables', { variables: '{{ {"a": 1} | json }}', overwrite: '{{ vars.yes }}' });
    const unset = { ...act('UnsetVariables', { variables: '{{ vars.names }}' }), id: 'unset' };
    expect(run(set, { ...unset, ignoreMissing: '{{ vars.yes }}' }).summary()).toEqual([
      'act:SUCCESS',
      'unset:SUCCESS',
    ]);
    expect(run(set, { ...unset, ignoreMissing: 'false' }).state).toBe('FAILED');
    const wrong = run(act('SetVariables', { variables: '{{ "x" }}' }));
    expect(wrong.logs).toContainEqual(
      expect.stringContaining('"variables" must be a map or the JSON of one'),
    );
    const unclear = run(act('UnsetVariables', { variables: [], ignoreMissing: '{{ 2 }}' }));
    expect(unclear.logs).toContainEqual(expect.stringContaining('must be true or false but rendered to "2"'));
  });

  it('[E22] Exit leaves what runs beside it to finish; with KILLED it is interrupted', () => {
    const flow = (state: string) =>
      aFlow({
        tasks: [
          aTask('p', {
            type: 'core.flow.Parallel',
            tasks: [
              aTask('slow'),
              aTask('s', { type: 'core.flow.Sequential', tasks: [aTask('quick'), act('Exit', { state })] }),
            ],
          }),
        ],
      });
    const left = new Harness(flow('SUCCESS'), { slow: 'HOLD' }).start();
    expect(left.state).toBe('SUCCESS');
    expect(left.live.hasEnded()).toBe(false);
    expect(left.end('slow').live.hasEnded()).toBe(true);
    const killed = new Harness(flow('KILLED'), { slow: 'HOLD' }).start();
    expect(killed.effects.some((effect) => effect.effect === 'interrupt')).toBe(true);
  });

  it('[E22] runIf counts for Exit', () => {
    const run = new Harness(
      aFlow({ tasks: [act('Exit', { state: 'FAILED', runIf: '{{ false }}' }), aTask('next')] }),
    ).start();
    expect(run.summary()).toEqual(['act:SKIPPED', 'next:SUCCESS']);
  });

  it.each([
    ['a map', { env: '{{ 1 + 1 }}', b: 'x' }],
    [
      'a list',
      [
        { key: 'env', value: '2' },
        { key: 'b', value: 'x' },
      ],
    ],
    ['JSON text', '{"env": "2", "b": "x"}'],
  ])('[E23] Labels given as %s are merged over those there are', (_, labels) => {
    const run = new Harness(
      aFlow({ tasks: [act('Labels', { labels })], labels: [{ key: 'env', value: '1' }] }),
    ).start();
    expect(run.execution.labels).toEqual([
      { key: 'env', value: '2' },
      { key: 'system.correlationId', value: 'execution' },
      { key: 'b', value: 'x' },
    ]);
    expect(run.runOf('act').attempts).toHaveLength(1);
  });

  it('[E23] a system label cannot be set', () => {
    expect(
      new Harness(aFlow({ tasks: [act('Labels', { labels: { 'system.x': 'y' } })] })).start().state,
    ).toBe('FAILED');
  });

  it('[E24] SetVariables merges into vars, UnsetVariables takes away', () => {
    const run = new Harness(
      aFlow({
        variables: { a: { x: 1 }, b: 2 },
        tasks: [
          act('SetVariables', { variables: { a: { y: '{{ vars.b }}' } } }),
          aTask('unset', { type: 'core.execution.UnsetVariables', variables: ['b'] }),
          aTask('r', { format: '{{ vars.a.y }}' }),
        ],
      }),
    ).start();
    expect(run.execution.variables).toEqual({ a: { x: 1, y: '2' } });
    expect(run.runOf('r').outputs).toEqual({ value: '2' });
  });
});

describe('WorkingDirectory', () => {
  const directory = aTask('wd', {
    type: 'core.flow.WorkingDirectory',
    tasks: [aTask('a'), aTask('b')],
    finally: [aTask('f')],
  });
  const phases = (run: Harness) =>
    run.effects.flatMap((effect) =>
      effect.effect === 'run' ? [effect.task.id] : effect.effect.endsWith('Directory') ? [effect.effect] : [],
    );

  it('[E25] opens its folder, runs the children in it in order, collects, then finally', () => {
    const run = new Harness(aFlow({ tasks: [directory] })).start();
    expect(run.state).toBe('SUCCESS');
    expect(phases(run)).toEqual(['openDirectory', 'a', 'b', 'closeDirectory', 'f']);
    const effect = run.effects.find((entry) => entry.effect === 'run' && entry.task.id === 'a');
    expect(effect).toMatchObject({ directoryOf: run.runOf('wd').id });
  });

  it('[E26] a failed child stops the rest; the folder is collected all the same', () => {
    const run = new Harness(aFlow({ tasks: [directory] }), { a: 'FAILED' }).start();
    expect(run.summary()).toEqual(['wd:FAILED', 'a:FAILED', 'f:SUCCESS']);
    expect(phases(run)).toContain('closeDirectory');
  });

  it('[E27] a retry inside the folder continues with the next child afterwards', () => {
    const retried = aTask('wd', {
      type: 'core.flow.WorkingDirectory',
      tasks: [aTask('a', { retry: { type: 'constant', interval: 'PT1S', maxAttempt: 2 } }), aTask('b')],
    });
    const run = new Harness(aFlow({ tasks: [retried] }), { 'a#0': 'FAILED' }).start().wake();
    expect(phases(run)).toEqual(['openDirectory', 'a', 'a', 'b', 'closeDirectory']);
    expect(run.state).toBe('SUCCESS');
  });

  const lose = (run: Harness) => run.send({ type: 'directoryLost', taskRunId: run.runOf('wd').id });

  it('[E346] without its folder the children start over, the first one first, in another folder', () => {
    const run = new Harness(aFlow({ tasks: [directory] }), { b: 'HOLD' }).start();
    const [wd, first] = [run.runOf('wd').id, run.runOf('a').id];
    lose(run);
    expect(phases(run)).toEqual(['openDirectory', 'a', 'b', 'openDirectory', 'a', 'b']);
    expect(run.runOf('a').id).not.toBe(first);
    expect(run.summary()).toEqual(['wd:RUNNING', 'a:SUCCESS', 'b:RUNNING']);
    const folders = run.effects.flatMap((effect) => (effect.effect === 'run' ? [effect.directoryOf] : []));
    expect(folders).toEqual([wd, wd, `${wd}.1`, `${wd}.1`]);
    // An event about the previous folder changes nothing.
    run.send({ type: 'directory', taskRunId: wd, phase: 'closed', directory: wd, error: 'gone' });
    expect(run.state).toBe('RUNNING');
  });

  it('[E346] a folder that is lost three times fails the task, and no child continues', () => {
    const run = new Harness(aFlow({ tasks: [directory] }), { a: 'HOLD' }).start();
    for (let losses = 0; losses < 3; losses++) lose(run);
    expect([run.state, run.summary()]).toEqual(['FAILED', ['wd:FAILED', 'a:KILLED', 'f:SUCCESS']]);
  });

  it.each([
    ['opened', 'FAILED', ['wd:FAILED', 'e:SUCCESS', 'f:SUCCESS'], {}],
    ['closed', 'FAILED', ['wd:FAILED', 'a:SUCCESS', 'b:SUCCESS', 'e:SUCCESS', 'f:SUCCESS'], {}],
    ['opened', 'WARNING', ['wd:WARNING', 'e:SUCCESS', 'f:SUCCESS'], { allowFailure: true }],
  ] as const)(
    '[E352] a folder that cannot be %s ends in %s after errors and finally',
    (phase, state, runs, more) => {
      const task = { ...directory, ...more, errors: [aTask('e')] };
      const run = new Harness(aFlow({ tasks: [task] }));
      run.brokenFolder = phase;
      run.start().reload();
      expect([run.state, run.summary()]).toEqual([state, runs]);
      expect(run.logs).toContain('ERROR no folder');
      run.brokenFolder = undefined;
      if (state === 'FAILED') expect(run.send({ type: 'restart' }).state).toBe('SUCCESS');
    },
  );

  it('[E348] in a loop its tasks have the value of the loop and stand where it stands', () => {
    const seen = '{{ taskrun.value }} {{ parent.taskrun.value }} {{ workerTaskrun.value }}';
    const inner = aTask('wd', {
      type: 'core.flow.WorkingDirectory',
      tasks: [
        aTask('a', { format: seen }),
        aTask('b', { format: '{{ currentEachOutput(outputs.a).value }}' }),
      ],
      errors: [aTask('e')],
    });
    const loop = (id: string, values: string[], child: unknown) =>
      aTask(id, { type: 'core.flow.ForEach', values, tasks: [child] });
    const end = aTask('end', { format: "{{ outputs.a.x['1'].value }}|{{ outputs.a.x['1']['1'].value }}" });
    const run = new Harness(aFlow({ tasks: [loop('outer', ['x'], loop('inner', ['1', '2'], inner)), end] }));
    run.start().reload();
    expect(run.runOf('b', '2').outputs).toEqual({ value: '2 x 2' });
    expect(run.runOf('end').outputs).toEqual({ value: '1 x 1|1 x 1' });
  });

  it('[E346] a lost folder that no task needs any more is not counted', () => {
    const run = new Harness(aFlow({ tasks: [directory] })).start();
    lose(run);
    expect(phases(run).filter((phase) => phase === 'openDirectory')).toHaveLength(1);
  });

  it('[E346] a folder whose worker stopped in order is no lost attempt; reports on an earlier folder do not count', () => {
    const run = new Harness(aFlow({ tasks: [directory] }), { a: 'HOLD' }).start();
    const taskRunId = run.runOf('wd').id;
    for (let left = 0; left < 4; left++) run.send({ type: 'directoryLost', taskRunId, isDrained: true });
    run.send({ type: 'directoryLost', taskRunId, directory: taskRunId });
    expect(phases(run).filter((phase) => phase === 'openDirectory')).toHaveLength(5);
    expect(run.effects.at(-1)).toMatchObject({ directoryOf: `${taskRunId}.4` });
    expect(run.summary()).toEqual(['wd:RUNNING', 'a:RUNNING']);
  });

  it('[E347] children run on the worker that has the folder, also after a restart of the server; a lost folder has no worker', () => {
    const run = new Harness(aFlow({ tasks: [directory] }), { b: 'HOLD' });
    run.folders = { holder: 'worker-1', areClosed: true };
    const wd = run.start().runOf('wd').id;
    const holders = () =>
      run.effects.flatMap((effect) =>
        'holder' in effect || effect.effect === 'run' ? [[effect.effect, effect.holder]] : [],
      );
    expect(holders()).toEqual([
      ['run', 'worker-1'],
      ['run', 'worker-1'],
    ]);
    expect(run.reload().live.directories()).toEqual([{ taskRunId: wd, directory: wd, holder: 'worker-1' }]);
    run.folders = { areClosed: true };
    lose(run);
    run.end('b');
    expect(holders().slice(2)).toEqual([
      ['run', undefined],
      ['run', undefined],
      ['run', undefined],
    ]);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E347] a folder that is lost while it is closed, with nothing to collect, is closed', () => {
    const run = new Harness(aFlow({ tasks: [directory] }));
    run.folders = { holder: 'worker-1', areClosed: false };
    run.start();
    expect(run.summary()).toEqual(['wd:RUNNING', 'a:SUCCESS', 'b:SUCCESS']);
    lose(run);
    expect(run.summary()).toEqual(['wd:SUCCESS', 'a:SUCCESS', 'b:SUCCESS', 'f:SUCCESS']);
  });

  it('[E346] a restarted one works in a folder of another name', () => {
    const run = new Harness(aFlow({ tasks: [directory] }), { a: 'FAILED' }).start();
    const wd = run.runOf('wd').id;
    run.send({ type: 'restart' });
    const opened = run.effects.flatMap((effect) =>
      effect.effect === 'openDirectory' ? [effect.directory] : [],
    );
    expect(opened).toEqual([wd, `${wd}.1`]);
  });
});

describe('SLA', () => {
  const sla = (behavior: string, more: object = {}) =>
    [
      {
        id: 'late',
        type: 'MAX_DURATION',
        duration: 'PT10S',
        behavior,
        labels: [{ key: 'sla', value: 'late' }],
        ...more,
      },
    ] as never;

  it.each([
    ['FAIL', 'FAILED'],
    ['CANCEL', 'CANCELLED'],
    ['NONE', 'RUNNING'],
  ])('[E28] past its maximum duration, %s makes the execution %s and labels it', (behavior, state) => {
    const run = new Harness(aFlow({ tasks: [aTask('slow'), aTask('next')], sla: sla(behavior) }), {
      slow: 'HOLD',
    })
      .start()
      .wake();
    expect(run.state).toBe(state);
    expect(run.execution.labels).toContainEqual({ key: 'sla', value: 'late' });
  });

  it('[E29] an assertion is looked at after every change', () => {
    const assertion = [
      {
        id: 'x',
        type: 'EXECUTION_ASSERTION',
        assert: '{{ (outputs.a.value ?? "ok") == "ok" }}',
        behavior: 'FAIL',
      },
    ] as never;
    const run = new Harness(
      aFlow({ tasks: [aTask('a', { format: 'bad' }), aTask('b')], sla: assertion }),
    ).start();
    expect(run.state).toBe('FAILED');
  });
});

describe('concurrency and schedule of the start', () => {
  it.each([
    ['QUEUE', 'QUEUED', false],
    ['CANCEL', 'CANCELLED', true],
    ['FAIL', 'FAILED', true],
  ] as const)('[E5] refused by the limit with %s: %s', (behavior, state, over) => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] })).send({ type: 'refused', behavior, limit: 1 });
    expect(run.state).toBe(state);
    expect(run.live.hasEnded()).toBe(over);
    if (behavior === 'QUEUE')
      expect(run.start().history()).toEqual(['CREATED', 'QUEUED', 'RUNNING', 'SUCCESS']);
  });

  it('[E211] checks that failed end the execution before its first task', () => {
    const flow = aFlow({ tasks: [aTask('a')], afterExecution: [aTask('after')] });
    const run = new Harness(flow, {}, { failedChecks: ['Too many'] }).start();
    expect(run.history()).toEqual(['CREATED', 'FAILED']);
    expect(run.summary()).toEqual(['after:SUCCESS']);
    expect(run.logs).toContainEqual(expect.stringContaining('A check of the flow failed: Too many'));
  });

  it('[E6] a future schedule date is waited for, also across a reload', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), {}, { scheduledAt: 1_700_000_060_000 }).start();
    expect(run.state).toBe('CREATED');
    expect(run.reload().live.wakes()).toHaveLength(1);
    expect(run.wake().history()).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
  });

  it('[E7] flow outputs are rendered at the end; one that cannot be fails the execution', () => {
    const outputs = (value: unknown) => [{ id: 'o', type: 'STRING', value }] as never;
    expect(
      new Harness(
        aFlow({ tasks: [aTask('a', { format: 'x' })], outputs: outputs('{{ outputs.a.value }}!') }),
      ).start().execution.outputs,
    ).toEqual({ o: 'x!' });
    const bad = new Harness(
      aFlow({ tasks: [aTask('a')], outputs: outputs('{{ outputs.nope.value }}') }),
    ).start();
    expect(bad.state).toBe('FAILED');
    expect(bad.execution.outputs).toBeUndefined();
  });

  it('[E8] what needs the outside world is asked for and the answer remembered', () => {
    const run = new Harness(
      aFlow({
        tasks: [aTask('if', { type: 'core.flow.If', condition: "{{ kv('k') }}", then: [aTask('yes')] })],
      }),
    ).start();
    expect(run.summary()).toEqual(['if:RUNNING']);
    run.send({
      type: 'resolved',
      taskRunId: run.runOf('if').id,
      key: 'condition',
      result: { value: 'true' },
    });
    expect(run.summary()).toEqual(['if:SUCCESS', 'yes:SUCCESS']);
    const failing = new Harness(aFlow({ tasks: [aTask('a', { runIf: "{{ secret('s') }}" })] })).start();
    failing.send({
      type: 'resolved',
      taskRunId: failing.runOf('a').id,
      key: 'runIf',
      result: { error: "Cannot find secret for key 's'" },
    });
    expect(failing.state).toBe('FAILED');
  });

  it('[E9] a broken flow ends the execution instead of leaving it open', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' })
      .start()
      .send({ type: 'broken', reason: 'The flow no longer parses.' });
    expect(run.state).toBe('FAILED');
    expect(run.live.hasEnded()).toBe(true);
  });
});
