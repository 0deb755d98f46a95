import { AppError } from '@millrace/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, statesOf, taskRunsOf } from '../testing/aServer.ts';
import { breakable, mend } from '../testing/breakable.ts';
import { databases } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';
import { LocalAdmission } from './localAdmission.ts';

const queued = (tasks: string) => `concurrency: { limit: 1, behavior: QUEUE }\ntasks:\n${tasks}`;
const door = (name: string) => `  - id: wait\n    type: test.Door\n    door: ${name}\n`;
const broken = (name: string) => `  - id: ko\n    type: test.Breakable\n    name: ${name}\n`;

describe.each(databases)('slots under a concurrency limit on $name', (database) => {
  const shared = sharedServer(database, { definitions: [breakable] });
  const post = (path: string) => shared().call('POST', `/executions/${path}`);

  it.each(['unqueue', 'force-run'])(
    '%s starts a queued execution beyond the limit, which keeps its place',
    async (action) => {
      const [server, id] = [shared(), anId()];
      await server.saveFlow(aFlow(id, queued(door(id))));
      const [first, second, third] = [await server.start(id), await server.start(id), await server.start(id)];
      await server.waitForState(third.id, 'QUEUED');
      const { status, body } = await post(`${third.id}/${action}`);
      expect([status, stateOf(body)]).toEqual([200, 'RUNNING']);
      await expect.poll(() => arrivals(id)).toBe(2);
      await server.call('DELETE', `/executions/${first.id}/kill`);
      await server.waitForState(first.id, 'KILLED');
      // The place of the first is taken by the third; the second still waits.
      expect((await post(`${third.id}/unqueue`)).status).toBe(422);
      expect(stateOf(await server.read(second.id))).toBe('QUEUED');
      openDoor(id);
      await server.waitForState(third.id, 'SUCCESS');
      await server.waitForState(second.id, 'SUCCESS');
    },
  );

  it.each(['CANCEL', 'FAIL', 'QUEUE'])(
    'a stored end frees its slot although the response to the commit is lost (%s)',
    async (behavior) => {
      const [server, id] = [shared(), anId()];
      await server.saveFlow(
        aFlow(id, `concurrency: { limit: 1, behavior: ${behavior} }\ntasks:\n${door(id)}`),
      );
      const first = await server.start(id);
      await expect.poll(() => arrivals(id)).toBe(1);
      const { store } = server.product;
      const { commit } = store;
      let lose = () => {};
      const lost = new Promise<void>((resolve) => {
        lose = resolve;
      });
      onTestFinished(() => void Object.assign(store, { commit }));
      store.commit = async (unit) => {
        await commit(unit);
        const isEnd = unit.some(
          (op) => op.op === 'execution.update' && op.execution.id === first.id && op.execution.closedAt,
        );
        if (!isEnd) return;
        await lost;
        throw new AppError('unavailable', 'the connection is closed');
      };
      openDoor(id);
      await server.waitForState(first.id, 'SUCCESS');
      expect(statesOf(await server.run(id))).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
      lose();
      expect(statesOf(await server.run(id))).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
    },
  );

  it('[S2-7e.7] takes executions out of the queue without a start, one or many, and the next one still starts', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, queued(door(id))));
    const runs = [];
    for (let n = 0; n < 5; n++) runs.push(await server.start(id));
    const [first, one, two, three, last] = runs.map((run) => run.id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    await server.waitForState(last, 'QUEUED');
    expect((await post(`${one}/unqueue?state=PAUSED`)).status).toBe(422);
    expect(stateOf((await post(`${one}/unqueue?state=CANCELLED`)).body)).toBe('CANCELLED');
    const byIds = { headers: { 'content-type': 'application/json' }, payload: JSON.stringify([two]) };
    const many = await server.call('POST', '/executions/unqueue/by-ids?state=FAILED', byIds);
    expect(many.body).toMatchObject({ count: 1 });
    const query = `flowId=${id}&q=${three}&state=QUEUED&newState=CANCELLED`;
    expect((await post(`unqueue/by-query?${query}`)).body).toMatchObject({ count: 1 });
    const states = await Promise.all(
      [one, two, three, last].map(async (run) => stateOf(await server.read(run))),
    );
    expect(states).toEqual(['CANCELLED', 'FAILED', 'CANCELLED', 'QUEUED']);
    openDoor(id);
    await server.waitForState(first, 'SUCCESS');
    await server.waitForState(last, 'SUCCESS');
  });

  it('[S2-7e.7] responds with the state that was requested, whatever the first task does', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, queued('  - id: ask\n    type: core.flow.Pause\n')));
    await server.start(id);
    const second = await server.start(id);
    await server.waitForState(second.id, 'QUEUED');
    expect(stateOf((await post(`${second.id}/unqueue`)).body)).toBe('RUNNING');
    expect(stateOf(await server.read(second.id))).toBe('PAUSED');
  });

  it('[S2-7e.7] refuses to unqueue what is not queued, and to force what has ended', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const execution = await server.run(id);
    expect((await post(`${execution.id}/unqueue`)).status).toBe(422);
    expect((await post(`${execution.id}/force-run`)).status).toBe(422);
  });

  it('[S2-7e.8] forces a scheduled execution, and one that is paused', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, queued('  - id: ask\n    type: core.flow.Pause\n')));
    const later = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    const { id: executionId } = await server.start(id, {}, `?scheduleDate=${later}`);
    expect(stateOf((await post(`${executionId}/force-run`)).body)).toBe('PAUSED');
    const forced = await post(`${executionId}/force-run`);
    expect(forced.status).toBe(200);
    await server.waitForState(executionId, 'SUCCESS');
    const next = await server.start(id);
    await server.waitForState(next.id, 'PAUSED');
  });

  it('a restart bypasses the limit and holds a slot until it ends', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, queued(broken(id) + door(id))));
    const failed = await server.run(id);
    expect(stateOf(failed)).toBe('FAILED');
    mend(id);
    const running = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    expect((await post(`${failed.id}/restart`)).status).toBe(200);
    await expect.poll(() => arrivals(id)).toBe(2);
    const waiting = await server.start(id);
    await server.waitForState(waiting.id, 'QUEUED');
    await server.call('DELETE', `/executions/${running.id}/kill`);
    await server.waitForState(running.id, 'KILLED');
    expect(stateOf(await server.read(waiting.id))).toBe('QUEUED');
    openDoor(id);
    await server.waitForState(failed.id, 'SUCCESS');
    await server.waitForState(waiting.id, 'SUCCESS');
  });

  it('a limit that comes while executions run counts them, and those that end make room', async () => {
    const [server, id] = [shared(), anId()];
    const save = (source: string) =>
      server.call('PUT', `/flows/company.team/${id}`, {
        headers: { 'content-type': 'application/x-yaml' },
        payload: source,
      });
    await server.saveFlow(aFlow(id, `tasks:\n${door(id)}`));
    const first = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await save(aFlow(id, queued(door(id))));
    const second = await server.start(id);
    await server.waitForState(second.id, 'QUEUED');
    await server.call('DELETE', `/executions/${first.id}/kill`);
    await server.waitForState(second.id, 'RUNNING');
    const third = await server.start(id);
    await server.waitForState(third.id, 'QUEUED');
    await save(aFlow(id, `tasks:\n${door(id)}`));
    await server.call('DELETE', `/executions/${second.id}/kill`);
    await server.waitForState(third.id, 'RUNNING');
    openDoor(id);
    await server.waitForState(third.id, 'SUCCESS');
  });

  it('a refused action leaves the slots as they were', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, queued('  - id: a\n    type: core.log.Log\n    message: x\n')));
    const done = await server.run(id);
    expect((await post(`${done.id}/restart`)).status).toBe(422);
    expect((await post(`${done.id}/replay?taskRunId=nobody`)).status).toBe(422);
    expect(stateOf(await server.run(id))).toBe('SUCCESS');
  });

  it('what ends within the very step of an action gives its place back', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, queued(broken(id))));
    const failed = await server.run(id);
    const mark = await server.call('POST', `/executions/${failed.id}/state`, {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ taskRunId: taskRunsOf(failed)[0]?.id, state: 'SUCCESS' }),
    });
    expect([mark.status, stateOf(await server.read(failed.id))]).toEqual([200, 'SUCCESS']);
    mend(id);
    expect(stateOf(await server.run(id))).toBe('SUCCESS');
  });

  it('a replay from a task run holds a slot too', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(id, queued(`  - id: a\n    type: core.log.Log\n    message: x\n${door(id)}`)),
    );
    const source = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const [a] = taskRunsOf(await server.read(source.id));
    const replayed = await post(`${source.id}/replay?taskRunId=${a?.id}`);
    await expect.poll(() => arrivals(id)).toBe(2);
    const waiting = await server.start(id);
    await server.waitForState(waiting.id, 'QUEUED');
    await server.call('DELETE', `/executions/${source.id}/kill`);
    await server.waitForState(source.id, 'KILLED');
    expect(stateOf(await server.read(waiting.id))).toBe('QUEUED');
    openDoor(id);
    await server.waitForState(String(replayed.body.id), 'SUCCESS');
    await server.waitForState(waiting.id, 'SUCCESS');
  });
});

it('a restart keeps the slot when the end before it is released late', async () => {
  const limited = { record: { revision: 1 }, flow: { concurrency: { limit: 1, behavior: 'QUEUE' } } };
  const rows = {
    listExecutions: async () => ({ results: [] }),
    listStates: async (ids: readonly string[]) => ids.map((id) => ({ id, isClosed: true })),
  };
  // `as`: only these reads are used.
  const admission = new LocalAdmission(rows as never, { find: async () => limited } as never);
  const flow = { namespace: 'company.team', id: 'f' };
  await admission.admit(flow, 'failed');
  const giveBack = await admission.reserveSlot(flow, 'failed');
  expect(await admission.release(flow, 'failed')).toEqual([]);
  rows.listStates = async () => [];
  expect(await admission.admit(flow, 'next')).toMatchObject({ type: 'refused' });
  expect(await giveBack()).toEqual(['next']);
});
