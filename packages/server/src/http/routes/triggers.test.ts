import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, aServer, sharedServer, stateOf, type TestServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { openDoor } from '../../testing/testTasks.ts';

type Body = Record<string, unknown>;

/** The clock of the shared server: it stands still, so that nothing is due unless a test moves it. */
const now = Date.parse('2025-03-05T12:00:00Z');

const daily = (more = '') =>
  `triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: "0 2 * * *"\n${more}`;
const atDoor = (door: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${door}\n`;
const keyOf = (flowId: string, triggerId = 'daily') => ({ namespace: 'company.team', flowId, triggerId });

const put = (server: TestServer, payload: Body, path = '') =>
  server.call('PUT', `/triggers${path}`, { payload });
const post = (server: TestServer, path: string, payload?: Body | readonly Body[]) =>
  server.call('POST', `/triggers${path}`, payload === undefined ? {} : { payload: payload as object });

async function executionsOf(server: TestServer, flowId: string): Promise<Body[]> {
  const { body } = await server.call('GET', `/executions/search?flowId=${flowId}&size=1000`);
  return body.results as Body[];
}

const datesOf = async (server: TestServer, flowId: string): Promise<string[]> =>
  (await executionsOf(server, flowId))
    .map(({ trigger }) => String(((trigger as Body).variables as Body).date).slice(0, 10))
    .sort();

describe.each(databases)('triggers on $name (api 7.6)', (database) => {
  const shared = sharedServer(database, { clock: () => now });

  it('[S2-7o.14] [S2-3.9] searches triggers with their definitions, and lists those of a flow', async () => {
    const [server, a, b] = [shared(), anId(), anId()];
    const hook = '  - id: hook\n    type: core.trigger.Webhook\n    key: abc\n';
    await server.saveFlow(aFlow(a, daily(`    stopAfter: [FAILED]\n${hook}`)));
    await server.saveFlow(aFlow(b, daily()));
    const { status, body } = await server.call('GET', `/triggers/search?q=${a}&sort=triggerId:asc`);
    expect(status).toBe(200);
    expect(body).toEqual({
      total: 2,
      results: [
        {
          abstractTrigger: {
            id: 'daily',
            type: 'core.trigger.Schedule',
            cron: '0 2 * * *',
            stopAfter: ['FAILED'],
          },
          triggerContext: {
            tenantId: 'main',
            ...keyOf(a),
            date: '2025-03-05T12:00:00.000Z',
            nextExecutionDate: '2025-03-06T02:00:00.000Z',
            stopAfter: ['FAILED'],
            disabled: false,
            updatedDate: '2025-03-05T12:00:00.000Z',
          },
        },
        {
          abstractTrigger: { id: 'hook', type: 'core.trigger.Webhook', key: 'abc' },
          triggerContext: {
            tenantId: 'main',
            ...keyOf(a, 'hook'),
            disabled: false,
            updatedDate: '2025-03-05T12:00:00.000Z',
          },
        },
      ],
    });
    const ofFlow = await server.call('GET', `/triggers/company.team/${a}?size=1&page=2`);
    expect(ofFlow.body).toMatchObject({ total: 2, results: [{ triggerId: 'hook' }] });
    expect((await server.call('GET', `/triggers/company.team/${a}?q=dai`)).body.total).toBe(1);
    const found = async (query: string) =>
      ((await server.call('GET', `/triggers/search?${query}`)).body.results as Body[]).map(
        ({ triggerContext }) => (triggerContext as Body).flowId,
      );
    expect(await found(`flowId=${b}`)).toEqual([b]);
    expect(await found(`filters[flowId][IN]=${a},${b}&filters[triggerId][EQUALS]=hook`)).toEqual([a]);
    expect(await found('workerId=w')).toEqual([]);
    const dated = 'filters[nextExecutionDate][GREATER_THAN]=1970-01-01T00:00:00Z&sort=nextExecutionDate:asc';
    expect(await found(`flowId=${a}&${dated}`)).toEqual([a]);
    expect(
      await found(
        `filters[flowId][EQUALS]=${a}&filters[nextExecutionDate][GREATER_THAN]=9999-01-01T00:00:00Z`,
      ),
    ).toEqual([]);
    for (const wrong of ['filters[state][IN]=FAILED', 'filters[flowId]=x', 'sort=cron:asc', 'page=0']) {
      expect((await server.call('GET', `/triggers/search?${wrong}`)).status).toBe(422);
    }
  });

  it('[S2-7o.16] [S2-4f.7] switches a schedule off and on, as it makes up for missed dates', async () => {
    const [server, a, last] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(a, daily()));
    const off = await put(server, { ...keyOf(a), disabled: true, nextExecutionDate: 'ignored' });
    expect(off.status).toBe(200);
    expect(off.body).toMatchObject({ ...keyOf(a), disabled: true });
    expect(off.body).not.toHaveProperty('nextExecutionDate');
    const on = await put(server, { ...keyOf(a), disabled: false });
    expect(on.body).toMatchObject({ disabled: false, nextExecutionDate: '2025-03-06T02:00:00.000Z' });
    await server.saveFlow(aFlow(last, daily('    recoverMissedSchedules: LAST\n')));
    await put(server, { ...keyOf(last), disabled: true });
    await put(server, { ...keyOf(last), disabled: false });
    await expect.poll(() => datesOf(server, last)).toEqual(['2025-03-05']);
  });

  it('does not fire a webhook that is switched off', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, 'triggers:\n  - { id: hook, type: core.trigger.Webhook, key: abc }\n'));
    const call = () => server.call('POST', `/executions/webhook/company.team/${a}/abc`);
    await put(server, { ...keyOf(a, 'hook'), disabled: true });
    expect((await call()).status).toBe(404);
    await put(server, { ...keyOf(a, 'hook'), disabled: false });
    expect((await call()).status).toBe(200);
  });

  it('[S2-7o.16] [S2-3.2] [E330] a backfill runs its dates one by one with its inputs and labels', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, `inputs:\n  - { id: region, type: STRING, defaults: us }\n${daily()}`));
    const { status, body } = await put(server, {
      ...keyOf(a),
      backfill: {
        start: '2025-03-02T00:00:00Z',
        end: null,
        inputs: { region: 'eu' },
        labels: [{ key: 'why', value: 'repair of {{ trigger.date }}' }],
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      nextExecutionDate: '2025-03-02T02:00:00.000Z',
      backfill: {
        start: '2025-03-02T00:00:00.000Z',
        end: '2025-03-05T12:00:00.000Z',
        currentDate: '2025-03-02T00:00:00.000Z',
        paused: false,
        inputs: { region: 'eu' },
        previousNextExecutionDate: '2025-03-06T02:00:00.000Z',
      },
    });
    const days = ['2025-03-02', '2025-03-03', '2025-03-04', '2025-03-05'];
    await expect.poll(() => datesOf(server, a)).toEqual(days);
    for (const execution of await executionsOf(server, a)) {
      expect(execution.inputs).toEqual({ region: 'eu' });
      expect(execution.labels).toContainEqual({
        key: 'why',
        value: expect.stringMatching(/^repair of 2025-03-0\dT02:00:00Z$/),
      });
    }
    const row = async () => (await server.call('GET', `/triggers/company.team/${a}`)).body.results as Body[];
    await expect
      .poll(row)
      .toMatchObject([{ nextExecutionDate: '2025-03-06T02:00:00.000Z', disabled: false }]);
    expect((await row())[0]).not.toHaveProperty('backfill');
  });

  it('[S2-7o.17] [S2-4f.10] [E332] a backfill is paused, resumed and deleted', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, daily(atDoor(a))));
    for (const path of ['/pause', '/unpause']) {
      expect((await put(server, keyOf(a), `/backfill${path}`)).status).toBe(400);
    }
    expect((await post(server, '/backfill/delete', keyOf(a))).status).toBe(400);
    await put(server, { ...keyOf(a), backfill: { start: '2025-03-02T00:00:00Z' } });
    await expect.poll(() => datesOf(server, a)).toEqual(['2025-03-02']);
    const paused = await put(server, keyOf(a), '/backfill/pause');
    expect(paused.body).toMatchObject({
      backfill: { paused: true, progress: { done: 1, total: 4, executions: 1, isEstimate: false } },
    });
    expect(paused.body).not.toHaveProperty('nextExecutionDate');
    openDoor(a);
    const unlocked = async () =>
      ((await server.call('GET', `/triggers/company.team/${a}`)).body.results as Body[])[0]?.executionId;
    await expect.poll(unlocked).toBeUndefined();
    await server.reopen();
    await server.product.scheduler.runDue();
    expect(await datesOf(server, a)).toEqual(['2025-03-02']);
    const on = await put(server, keyOf(a), '/backfill/unpause');
    expect(on.body).toMatchObject({
      backfill: { paused: false },
      nextExecutionDate: '2025-03-03T02:00:00.000Z',
    });
    await expect.poll(() => datesOf(server, a)).toEqual([2, 3, 4, 5].map((day) => `2025-03-0${day}`));
    await put(server, { ...keyOf(a), disabled: true });
    await put(server, { ...keyOf(a), backfill: { start: '2025-03-02T00:00:00Z' } });
    const deleted = await post(server, '/backfill/delete', keyOf(a));
    expect(deleted.status).toBe(200);
    await server.reopen();
    const { body } = await server.call('GET', `/triggers/company.team/${a}`);
    expect((body.results as Body[])[0]).not.toHaveProperty('backfill');
  });

  it('a second backfill runs the same dates again', async () => {
    let time = now;
    const server = await aServer(database, { clock: () => time });
    const a = anId();
    await server.saveFlow(aFlow(a, daily()));
    const backfill = { start: '2025-03-04T00:00:00Z' };
    await put(server, { ...keyOf(a), backfill });
    await expect.poll(() => datesOf(server, a)).toEqual(['2025-03-04', '2025-03-05']);
    await expect
      .poll(async () => await server.product.store.getTrigger('company.team', a, 'daily'))
      .not.toHaveProperty('executionId');
    time += 1;
    await put(server, { ...keyOf(a), backfill });
    await expect
      .poll(() => datesOf(server, a))
      .toEqual(['2025-03-04', '2025-03-04', '2025-03-05', '2025-03-05']);
  });

  it.each([
    ['a start after the end', { start: '2025-03-04T00:00:00Z', end: '2025-03-03T00:00:00Z' }, 422],
    ['a start that is no date', { start: 'yesterday' }, 422],
    ['no start', { end: '2025-03-03T00:00:00Z' }, 422],
  ])('refuses a backfill with %s', async (_name, backfill, status) => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, daily()));
    expect((await put(server, { ...keyOf(a), backfill })).status).toBe(status);
  });

  it('answers 404 for what does not exist and 422 for a backfill of something else', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, 'triggers:\n  - { id: hook, type: core.trigger.Webhook, key: abc }\n'));
    for (const key of [keyOf('missing'), keyOf(a, 'missing')]) {
      expect((await put(server, { ...key, disabled: true })).status).toBe(404);
      expect((await put(server, key, '/backfill/pause')).status).toBe(404);
      const path = `/company.team/${key.flowId}/${key.triggerId}`;
      expect((await post(server, `${path}/unlock`)).status).toBe(404);
      expect((await post(server, `${path}/restart`)).status).toBe(404);
      expect((await server.call('DELETE', `/triggers${path}`)).status).toBe(404);
    }
    const backfill = { start: '2025-03-04T00:00:00Z' };
    expect((await put(server, { ...keyOf(a, 'hook'), backfill })).status).toBe(422);
    expect((await put(server, { flowId: a })).status).toBe(422);
  });

  it('[S2-7o.15] [S2-4f.9] unlocks and restarts a trigger', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, daily(atDoor(a))));
    const path = `/company.team/${a}/daily`;
    expect((await post(server, `${path}/unlock`)).status).toBe(409);
    await put(server, { ...keyOf(a), backfill: { start: '2025-03-05T00:00:00Z' } });
    await expect.poll(() => executionsOf(server, a)).toHaveLength(1);
    const { status, body } = await post(server, `${path}/unlock`);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('executionId');
    expect(body).toMatchObject({ nextExecutionDate: '2025-03-06T02:00:00.000Z' });
    const restarted = await post(server, `${path}/restart`);
    expect(restarted.status).toBe(200);
    expect(restarted.body).not.toHaveProperty('date');
    expect((await executionsOf(server, a)).map(stateOf)).toEqual(['RUNNING']);
    openDoor(a);
  });

  it('forgets what a trigger remembers; it starts over as its flow says', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a, daily()));
    await put(server, { ...keyOf(a), disabled: true });
    expect((await server.call('DELETE', `/triggers/company.team/${a}/daily`)).status).toBe(204);
    const { body } = await server.call('GET', `/triggers/company.team/${a}`);
    expect(body.results).toMatchObject([{ disabled: false, nextExecutionDate: '2025-03-06T02:00:00.000Z' }]);
  });

  it('[S2-7o.18] does the same to many, by a list and by a query', async () => {
    const [server, a, b, c] = [shared(), anId(), anId(), anId()];
    for (const id of [a, b, c]) await server.saveFlow(aFlow(id, daily(atDoor(a))));
    const query = `?filters[flowId][IN]=${a},${b}`;
    const keys = [keyOf(a), keyOf(b), keyOf('missing')];
    const disabled = async () => {
      const { body } = await server.call('GET', `/triggers/search?filters[flowId][IN]=${a},${b},${c}`);
      return (body.results as { triggerContext: Body }[])
        .filter(({ triggerContext }) => triggerContext.disabled)
        .map(({ triggerContext }) => triggerContext.flowId);
    };
    const off = await post(server, '/set-disabled/by-triggers', { triggers: keys, disabled: true });
    expect(off.body).toEqual({ count: 3 });
    expect((await disabled()).sort()).toEqual([a, b].sort());
    expect((await post(server, `/set-disabled/by-query${query}&disabled=false`)).body).toEqual({ count: 2 });
    expect(await disabled()).toEqual([]);
    expect((await post(server, `/set-disabled/by-query?flowId=${c}`)).body).toEqual({ count: 1 });
    expect(await disabled()).toEqual([c]);

    const start = () =>
      put(server, { ...keyOf(a), backfill: { start: '2025-03-02T00:00:00Z', end: '2025-03-04T00:00:00Z' } });
    await start();
    await expect.poll(() => executionsOf(server, a)).toHaveLength(1);
    expect((await post(server, '/backfill/pause/by-triggers', keys)).body).toEqual({ count: 1 });
    expect((await post(server, `/backfill/unpause/by-query${query}`)).body).toEqual({ count: 1 });
    expect((await post(server, `/backfill/pause/by-query${query}`)).body).toEqual({ count: 1 });
    expect((await post(server, '/backfill/delete/by-triggers', keys)).body).toEqual({ count: 1 });
    expect((await post(server, `/backfill/delete/by-query${query}`)).body).toEqual({ count: 0 });
    expect((await post(server, `/unlock/by-query${query}`)).body).toEqual({ count: 1 });
    expect((await post(server, '/unlock/by-triggers', keys)).body).toEqual({ count: 0 });
    const forgotten = await server.call('DELETE', '/triggers/delete/by-triggers', { payload: keys });
    expect(forgotten.body).toEqual({ count: 2 });
    expect((await server.call('DELETE', `/triggers/delete/by-query?flowId=${c}`)).body).toEqual({ count: 1 });
    expect(await disabled()).toEqual([]);
    expect((await post(server, '/unlock/by-query?filters[nonsense][EQUALS]=1')).status).toBe(422);
    openDoor(a);
  });
});
