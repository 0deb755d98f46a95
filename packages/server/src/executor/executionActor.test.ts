import { AppError } from '@millrace/contract';
import { defineTask } from '@millrace/plugin-kit';
import { Conflict, type Store } from '@millrace/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

const steps = (door: string) => `tasks:
  - id: one
    type: core.log.Log
    message: one
  - id: two
    type: test.Door
    door: ${door}
  - id: three
    type: core.log.Log
    message: three
`;

const talkative = defineTask({
  type: 'test.Talkative',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({ lines: z.coerce.number() }),
  output: z.object({}),
  sideEffects: true,
  run: async (context, { lines }) => {
    for (let line = 0; line < lines; line++) await context.log('INFO', String(line));
    context.metric({ type: 'counter', name: 'said', value: lines });
    return {};
  },
});

describe('a commit that fails', () => {
  const shared = sharedServer(sqlite);

  /** Lets the next commits of steps fail, and the ones after them pass. */
  function failNextCommits(store: Store, errors: Error[]): void {
    const commit = store.commit.bind(store);
    store.commit = async (unit) => {
      const isStep = unit.some(({ op }) => op === 'execution.update');
      const error = isStep ? errors.shift() : undefined;
      if (error) throw error;
      await commit(unit);
    };
  }

  it.each([
    ['the disk', () => new Error('disk full')],
    ['someone else who changed the row', () => new Conflict('The execution')],
  ])('because of %s drops what was in memory and does the step again', async (_name, anError) => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    openDoor(id);
    failNextCommits(server.product.store, [anError(), anError()]);
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    expect(taskRunsOf(execution).map((run) => [run.taskId, stateOf(run)])).toEqual([
      ['one', 'SUCCESS'],
      ['two', 'SUCCESS'],
      ['three', 'SUCCESS'],
    ]);
    expect(arrivals(id)).toBe(1);
    const { body } = await server.call('GET', `/logs/${execution.id}`);
    expect((body as unknown as { message: string }[]).map(({ message }) => message)).toEqual([
      'one',
      'three',
    ]);
  });

  it('an execution of tasks that only compute is stored with one commit, and one that fails leaves nothing', async () => {
    const [server, id] = [shared(), anId()];
    const { store } = server.product;
    await server.saveFlow(aFlow(id, 'tasks:\n  - id: only\n    type: core.log.Log\n    message: only\n'));
    const commit = store.commit;
    onTestFinished(() => {
      store.commit = commit;
    });
    const units: string[][] = [];
    store.commit = async (unit) => {
      if (units.push(unit.map(({ op }) => op)) === 1) throw new Error('disk full');
      await commit(unit);
    };
    expect((await server.call('POST', `/executions/company.team/${id}`)).status).toBe(500);
    expect((await server.call('GET', `/executions/search?flowId=${id}`)).body.total).toBe(0);
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    const written = ['execution.insert', 'taskRun.put', 'event.append', 'log.insert'];
    expect(units).toEqual([written, written]);
  });

  it('[E9] a step that the engine cannot apply ends the execution and says why, and nothing hangs', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    server.product.executor.notify(executionId, { type: 'woken', wake: null as never });
    await server.waitForState(executionId, 'FAILED');
    openDoor(id);
    const { body } = await server.call('GET', `/logs/${executionId}?minLevel=ERROR`);
    expect(JSON.stringify(body)).toContain('could not continue');
  });

  it('refuses the request that it was made for', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    failNextCommits(server.product.store, [new Error('disk full')]);
    const refused = await server.call('DELETE', `/executions/${executionId}/kill`);
    expect(refused.status).toBe(503);
    expect(stateOf(await server.read(executionId))).toBe('RUNNING');
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
  });

  it('although it was stored: the request is refused, and what it asked for happens', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const { store } = server.product;
    const commit = store.commit;
    onTestFinished(() => {
      store.commit = commit;
    });
    store.commit = async (unit) => {
      await commit(unit);
      store.commit = commit;
      throw new AppError('unavailable', 'The answer is lost.');
    };
    expect((await server.call('DELETE', `/executions/${executionId}/kill`)).status).toBe(503);
    await server.waitForState(executionId, 'KILLED');
  });
});

describe.each(databases)('log lines and metrics on $name', (database) => {
  const shared = sharedServer(database, { definitions: [talkative] });

  it.each([
    ['fails', 0],
    ['is stored and its answer is lost', 1],
  ])('are stored once and in order when each first commit that has them %s', async (_name, stored) => {
    const [server, id] = [shared(), anId()];
    const tasks = [1, 2, 3].map((n) => `  - id: t${n}\n    type: test.Talkative\n    lines: 40\n`).join('');
    await server.saveFlow(aFlow(id, `tasks:\n${tasks}`));
    const { store } = server.product;
    const commit = store.commit.bind(store);
    const met = new Set<unknown>();
    onTestFinished(() => {
      store.commit = commit;
    });
    store.commit = async (unit) => {
      const isNew = unit.some((op) => op.op === 'log.insert' && op.log.taskRunId && !met.has(op));
      for (const op of unit) met.add(op);
      if (!isNew) return commit(unit);
      if (stored) await commit(unit);
      throw new AppError('unavailable', 'The database is away.');
    };
    const { id: executionId } = await server.run(id);
    store.commit = commit;
    await server.product.logs.flush();
    const lines = await store.listLogs({ executionId });
    const expected = [1, 2, 3].flatMap((n) => Array.from({ length: 40 }, (_, line) => `t${n} ${line}`));
    expect(lines.map(({ taskId, message }) => `${taskId} ${message}`)).toEqual(expected);
    const metrics = await store.listMetrics(executionId);
    expect(metrics.map(({ taskId, name }) => `${taskId} ${name}`)).toEqual(['t1 said', 't2 said', 't3 said']);
  });
});

describe('an error after a commit', () => {
  const shared = sharedServer(sqlite);

  it.each([
    ['now and then', 1],
    ['always', 100],
  ])('of an effect that fails %s leaves nothing stuck', async (_name, times) => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    openDoor(id);
    const { worker } = server.product;
    const submit = worker.submit.bind(worker);
    onTestFinished(() => {
      worker.submit = submit;
    });
    let left = times;
    worker.submit = (attempt, port) => {
      if (attempt.task.id === 'two' && left-- > 0) throw new Error('a bug');
      submit(attempt, port);
    };
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe(times === 1 ? 'SUCCESS' : 'FAILED');
    await expect.poll(() => server.product.executor.openCount).toBe(0);
  });
});

describe('dates of executions that ended', () => {
  const shared = sharedServer(sqlite);

  it('are not kept', async () => {
    const [server, id] = [shared(), anId()];
    const sla = 'sla:\n  - { id: late, type: MAX_DURATION, duration: P1D, behavior: FAIL }\n';
    await server.saveFlow(aFlow(id, `${sla}${steps(id)}`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => server.product.executor.timerCount).toBe(1);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
    await expect.poll(() => server.product.executor.timerCount).toBe(0);
  });
});

const mixed = (id: string, child: string) => `tasks:
  - id: one
    type: core.log.Log
    message: one
  - id: together
    type: core.flow.Parallel
    tasks:
      - id: left
        type: test.Door
        door: ${id}
      - id: right
        type: core.flow.Subflow
        namespace: company.team
        flowId: ${child}
  - id: rest
    type: core.flow.Pause
    delay: PT0.05S
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:
      - id: inside
        type: test.Door
        door: ${id}
  - id: last
    type: core.log.Log
    message: last
`;

describe.each(databases)('a commit that is stored although its response is lost, on $name', (database) => {
  const shared = sharedServer(database);

  /** Loses the responses of these commits, counted from now on. Returns the number of commits. */
  function loseAnswers(store: Store, which: (index: number) => boolean): { readonly commits: number } {
    const [commit, seen] = [store.commit, { commits: 0 }];
    store.commit = async (unit) => {
      await commit(unit);
      const isAbout = unit.some(({ op }) => op === 'execution.update' || op === 'execution.insert');
      if (isAbout && which(seen.commits++)) throw new AppError('unavailable', 'the answer got lost');
    };
    onTestFinished(() => {
      store.commit = commit;
    });
    return seen;
  }

  it('[A35] whichever it is: nothing hangs and nothing runs twice', async () => {
    const [server, id, child] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, steps(id)));
    await server.saveFlow(aFlow(id, mixed(id, child)));
    openDoor(id);
    const { store } = server.product;
    const search = `/executions/search?flowId=${id}`;
    const seen = loseAnswers(store, () => false);
    await server.run(id);
    const perRun = seen.commits;
    expect(perRun).toBeGreaterThan(8);
    for (let lost = 0; lost < perRun; lost++) {
      loseAnswers(store, (index) => index === lost);
      const before = arrivals(id);
      const { status } = await server.call('POST', `/executions/company.team/${id}`);
      expect(status).toBe(lost === 0 ? 503 : 200);
      const ended = async () => (await server.call('GET', `${search}&state=SUCCESS`)).body.total;
      await expect.poll(ended, { timeout: 60_000, message: `commit ${lost} of ${perRun}` }).toBe(lost + 2);
      expect([lost, arrivals(id) - before]).toEqual([lost, 3]);
    }
  });

  it('and when all of them are', async () => {
    const [server, id, child] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, steps(id)));
    await server.saveFlow(aFlow(id, mixed(id, child)));
    openDoor(id);
    loseAnswers(server.product.store, () => true);
    expect((await server.call('POST', `/executions/company.team/${id}`)).status).toBe(503);
    const ended = async () =>
      (await server.call('GET', `/executions/search?flowId=${id}&state=SUCCESS`)).body.total;
    await expect.poll(ended).toBe(1);
    expect(arrivals(id)).toBe(3);
  }, 180_000);
});
