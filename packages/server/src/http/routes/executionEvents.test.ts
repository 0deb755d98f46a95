import type { ExecutionEvent, Waiting } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, form, sharedServer, stateOf, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { openDoor } from '../../testing/testTasks.ts';

const fail = '  - id: ko\n    type: core.execution.Fail\n';
const log = (id: string) => `  - id: ${id}\n    type: core.log.Log\n    message: ${id}\n`;
const door = (name: string) => `  - id: wait\n    type: test.Door\n    door: ${name}\n`;
const auth = { username: 'ada', password: 'secret-1' };
const authorization = `Basic ${btoa('ada:secret-1')}`;
const json = (payload: unknown, headers = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  payload: JSON.stringify(payload),
});

describe.each(databases)('the record of an execution on $name', (database) => {
  const shared = sharedServer(database);

  const eventsOf = async (executionId: string, query = '') => {
    const { status, body } = await shared().call('GET', `/executions/${executionId}/events${query}`);
    expect(status).toBe(200);
    return body as { results: ExecutionEvent[]; next?: string };
  };

  it('O-1.2 O-1.5 tells what happened in order, with its reasons, also after a restart of the server', async () => {
    const [server, id] = [shared(), anId()];
    const check = `  - id: check
    type: core.flow.If
    condition: "{{ inputs.n > 3 }}"
    then:
      - { id: large, type: core.log.Log, message: large }
`;
    await server.saveFlow(aFlow(id, `inputs:\n  - { id: n, type: INT }\ntasks:\n${check}`));
    const done = await server.run(id, { n: '5' });
    await server.reopen();
    const { results, next } = await eventsOf(String(done.id));
    expect(next).toBeUndefined();
    expect(results.map(({ kind }) => kind)).toEqual([
      'created',
      'start',
      'state',
      'decided',
      'taskStarted',
      'taskEnded',
      'taskState',
      'state',
    ]);
    expect(results[0]).toMatchObject({
      actor: { type: 'anonymous', via: 'api' },
      payload: { inputs: { n: 5 } },
    });
    expect(results[3]).toMatchObject({ taskId: 'check', payload: { value: 'true' } });
    expect(results[4]?.taskRunId).toBe(taskRunsOf(done).find(({ taskId }) => taskId === 'large')?.id);
    const dates = results.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort());
  });

  it('O-1.3 comes in pages, of one task run, and of some kinds', async () => {
    const [server, id] = [shared(), anId()];
    const each = `  - id: each
    type: core.flow.ForEach
    values: [1, 2, 3, 4, 5]
    concurrencyLimit: 0
    tasks:
      - { id: one, type: core.log.Log, message: "{{ taskrun.value }}" }
`;
    await server.saveFlow(aFlow(id, `tasks:\n${each}`));
    const done = await server.run(id);
    const whole = (await eventsOf(String(done.id))).results;
    const read: ExecutionEvent[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await eventsOf(String(done.id), `?size=3${after ? `&after=${after}` : ''}`);
      expect(page.results.length).toBeLessThanOrEqual(4);
      read.push(...page.results);
      after = page.next;
    }
    expect(read).toEqual(whole);
    const third = taskRunsOf(done).find(({ value }) => value === '3');
    const ofThird = await eventsOf(String(done.id), `?taskRunId=${third?.id}`);
    expect(ofThird.results.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
      'taskStarted 3',
      'taskEnded 3',
    ]);
    const ends = await eventsOf(String(done.id), '?kind=taskEnded&kind=created');
    expect(ends.results.map(({ kind }) => kind)).toEqual(['created', ...Array(5).fill('taskEnded')]);
    expect((await eventsOf(String(done.id), '?taskRunId=%25')).results).toEqual([]);
  });

  it('refuses an unknown execution, a wrong position and an unknown kind', async () => {
    const server = shared();
    expect((await server.call('GET', '/executions/unknown/events')).status).toBe(404);
    await server.saveFlow(aFlow('refusals', `tasks:\n${log('a')}`));
    const { id } = await server.run('refusals');
    expect((await server.call('GET', `/executions/${id}/events?after=x`)).status).toBe(422);
    expect((await server.call('GET', `/executions/${id}/events?kind=nothing`)).status).toBe(422);
  });

  it('O-1.6 O-1.9 explains a queue with its limit and the executions that are ahead', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `concurrency:\n  limit: 1\n  behavior: QUEUE\ntasks:\n${door(id)}`));
    const first = await server.start(id);
    await server.waitForState(first.id, 'RUNNING');
    const second = await server.start(id);
    await server.waitForState(second.id, 'QUEUED');
    const third = await server.start(id);
    await server.waitForState(third.id, 'QUEUED');
    const { body } = await server.call('GET', `/executions/${third.id}/waiting`);
    expect(body).toMatchObject([
      {
        kind: 'queue',
        limit: 1,
        running: 1,
        holders: [{ id: first.id }],
        ahead: 1,
        next: [{ id: second.id }],
      },
    ]);
    expect((await eventsOf(third.id, '?kind=refused')).results[0]?.payload).toMatchObject({ limit: 1 });
    openDoor(id);
    await server.waitForState(third.id, 'SUCCESS');
    expect((await server.call('GET', `/executions/${third.id}/waiting`)).body).toEqual([]);
  });

  it('O-1.8 O-1.10 explains a pause with what it asks, a schedule with its date, and a retry with its next attempt', async () => {
    const [server, id] = [shared(), anId()];
    const pause = `  - id: approve
    type: core.flow.Pause
    description: Is the report right?
    pauseDuration: P1D
    onResume: [{ id: reason, type: STRING }]
`;
    await server.saveFlow(aFlow(id, `tasks:\n${pause}`));
    const paused = await server.start(id);
    await server.waitForState(paused.id, 'PAUSED');
    const waiting = async (executionId: string) =>
      (await server.call('GET', `/executions/${executionId}/waiting`)).body as unknown as Waiting[];
    expect(await waiting(paused.id)).toMatchObject([
      {
        kind: 'pause',
        taskId: 'approve',
        text: 'Is the report right?',
        inputs: [{ id: 'reason' }],
        then: 'RESUME',
      },
    ]);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const planned = await server.start(id, {}, `?scheduleDate=${encodeURIComponent(at)}`);
    expect(await waiting(planned.id)).toEqual([{ kind: 'schedule', until: at }]);
    const retried = anId();
    const retry = '    retry: { type: constant, interval: PT1H, maxAttempts: 3 }\n';
    await server.saveFlow(aFlow(retried, `tasks:\n${fail}${retry}`));
    const failing = await server.start(retried);
    await server.waitForState(failing.id, 'RETRYING');
    expect(await waiting(failing.id)).toMatchObject([{ kind: 'retry', taskId: 'ko', attempt: 2 }]);
  });

  it.skipIf(database.name === 'SQLite')(
    'O-1.11 explains a task that waits for a group of workers with the workers that exist',
    async () => {
      const [server, id] = [shared(), anId()];
      const grouped = `  - id: gpu
    type: core.log.Log
    message: hello
    workerGroup: { key: gpu }
`;
      await server.saveFlow(aFlow(id, `tasks:\n${grouped}`));
      const { id: executionId } = await server.start(id);
      await server.waitForState(executionId, 'RUNNING');
      const { body } = await server.call('GET', `/executions/${executionId}/waiting`);
      expect(body).toMatchObject([
        { kind: 'worker', taskId: 'gpu', workerGroup: 'gpu', able: 0, workers: [{}] },
      ]);
    },
  );
});

describe.each(databases)('who asked for a change on $name', (database) => {
  const shared = sharedServer(database, { settings: { auth } });
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, options: Record<string, unknown> = {}) =>
    shared().call(method, path, {
      ...options,
      headers: { authorization, ...(options.headers as Record<string, string> | undefined) },
    });
  const actorsOf = async (executionId: unknown, kind: string) => {
    const { body } = await call('GET', `/executions/${String(executionId)}/events?kind=${kind}`);
    return (body as unknown as { results: ExecutionEvent[] }).results.map(({ actor }) => actor);
  };
  const ada = { type: 'user', id: 'ada', via: 'api' };

  const start = async (source: string, query = '?wait=true') => {
    const id = anId();
    const saved = await call('POST', '/flows', {
      headers: { 'content-type': 'application/x-yaml' },
      payload: aFlow(id, source),
    });
    expect(saved.status).toBe(200);
    const { body } = await call('POST', `/executions/company.team/${id}${query}`, form({}));
    return body;
  };

  it('O-1.1 O-1.7 records the user of every action, in the record and in the state history', async () => {
    const failed = await start(`tasks:\n${fail}${log('b')}`);
    expect(stateOf(failed)).toBe('FAILED');
    expect(await actorsOf(failed.id, 'created')).toEqual([ada]);
    const [ko] = taskRunsOf(failed);
    const web = { 'sec-fetch-mode': 'cors' };
    await call('POST', `/executions/${failed.id}/state`, json({ taskRunId: ko?.id, state: 'WARNING' }, web));
    expect(await actorsOf(failed.id, 'changeTaskRunState')).toEqual([{ ...ada, via: 'web' }]);
    const read = async () => (await call('GET', `/executions/${failed.id}`)).body;
    await expect.poll(async () => stateOf(await read())).toBe('WARNING');
    const [marked] = taskRunsOf(await read()) as unknown as [{ state: { histories: object[] } }];
    expect(marked.state.histories.at(-1)).toMatchObject({ state: 'WARNING', by: { id: 'ada' } });
    await call('POST', `/executions/${failed.id}/labels`, json([{ key: 'seen', value: 'yes' }]));
    expect(await actorsOf(failed.id, 'setLabels')).toEqual([ada]);
    await call('POST', `/executions/${failed.id}/change-status?status=FAILED`);
    expect(await actorsOf(failed.id, 'changeState')).toEqual([ada]);
    const replayed = await call('POST', `/executions/${failed.id}/replay`);
    expect(await actorsOf(replayed.body.id, 'created')).toEqual([ada]);
    expect(await actorsOf(failed.id, 'replayed')).toEqual([ada]);
    await call('POST', `/executions/change-status/by-ids?newStatus=SUCCESS`, json([failed.id]));
    expect(await actorsOf(failed.id, 'changeState')).toEqual([ada, ada]);
  });

  it('O-1.1 records who resumed and killed an execution, and that the parent killed its children', async () => {
    const paused = await start('tasks:\n  - { id: p, type: core.flow.Pause }\n', '');
    const isIn = (id: unknown, state: string) =>
      expect.poll(async () => stateOf((await call('GET', `/executions/${String(id)}`)).body)).toBe(state);
    await isIn(paused.id, 'PAUSED');
    await call('POST', `/executions/${paused.id}/resume`, form({}));
    await isIn(paused.id, 'SUCCESS');
    expect(await actorsOf(paused.id, 'resume')).toEqual([ada]);
    const child = anId();
    await call('POST', '/flows', {
      headers: { 'content-type': 'application/x-yaml' },
      payload: aFlow(child, `tasks:\n${door(child)}`),
    });
    const parent = await start(
      `tasks:\n  - { id: call, type: core.flow.Subflow, namespace: company.team, flowId: ${child} }\n`,
      '',
    );
    const children = async () =>
      (await call('GET', `/executions/search?triggerExecutionId=${parent.id}`)).body.results as {
        id: string;
      }[];
    await expect.poll(async () => (await children()).length).toBe(1);
    const [started] = await children();
    await isIn(started?.id, 'RUNNING');
    expect(await actorsOf(started?.id, 'created')).toEqual([{ type: 'execution', id: parent.id }]);
    await call('DELETE', `/executions/${parent.id}/kill`);
    expect(await actorsOf(parent.id, 'kill')).toEqual([ada]);
    await expect.poll(() => actorsOf(started?.id, 'kill')).toEqual([{ type: 'execution', id: parent.id }]);
    openDoor(child);
    await isIn(parent.id, 'KILLED');
  });
});
