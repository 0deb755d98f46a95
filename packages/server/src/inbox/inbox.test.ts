import { describe, expect, it } from 'vitest';
import { addFailure, causeOf, type FailureGroup, hourMs } from '../alerts/failures.ts';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, sharedServer, type TestServer, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { applyMark, isHidden } from './marks.ts';
import { presentGroup } from './readInbox.ts';

type Body = Record<string, unknown>;
interface Inbox {
  failures: Body[];
  items: Body[];
  open: number;
  hidden: number;
}

const failing = (id: string, message = 'Row {{ execution.id }} is empty') =>
  aFlow(id, `tasks:\n  - id: read\n    type: core.execution.Fail\n    errorMessage: "${message}"\n`);

const read = async (server: TestServer, query = ''): Promise<Inbox> => {
  const { body } = await server.call('GET', `/inbox${query}`);
  return body as unknown as Inbox;
};

describe.each(databases)('the inbox on $name', (database) => {
  let ahead = 0;
  const shared = sharedServer(database, { clock: () => Date.now() + ahead });

  const failuresOf = async (server: TestServer, flowId: string, query = '') =>
    (await read(server, query)).failures.filter((failure) => failure.flowId === flowId);
  const mark = (server: TestServer, payload: object) => server.call('POST', '/inbox/marks', { payload });

  it('O-7.1 O-7.8 groups failures by cause, and restarts a group', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(failing(id));
    const executions = [await server.run(id), await server.run(id)];
    await expect.poll(async () => (await failuresOf(server, id))[0]?.count).toBe(2);
    const [group] = await failuresOf(server, id);
    expect(group).toMatchObject({ taskId: 'read', executionId: executions[1]?.id, count: 2 });
    expect(group?.trend).toContain(2);
    const members = await server.call('GET', `/inbox/failures/${group?.groupId}/executions`);
    expect((members.body.results as Body[]).map(({ executionId, state }) => [executionId, state])).toEqual([
      [executions[1]?.id, 'FAILED'],
      [executions[0]?.id, 'FAILED'],
    ]);
    const { body } = await server.call('POST', `/inbox/failures/${group?.groupId}/restart`);
    expect(body.count).toBe(2);
    await expect.poll(async () => (await failuresOf(server, id))[0]?.count).toBe(4);
  });

  it('tells another message, and the recovery of the flow', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(failing(id, 'first cause'));
    await server.run(id);
    await server.call('PUT', `/flows/company.team/${id}`, yaml(failing(id, 'second cause')));
    await server.run(id);
    await expect.poll(async () => (await failuresOf(server, id)).length).toBe(2);
    await server.call('PUT', `/flows/company.team/${id}`, yaml(aFlow(id)));
    await server.run(id);
    const recovered = (await failuresOf(server, id)).filter(({ recoveredAt }) => recoveredAt !== undefined);
    expect(recovered).toHaveLength(2);
  });

  it('O-7.7 hides what is acknowledged until it fails again, and what is muted until then', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(failing(id));
    await server.run(id);
    await expect.poll(async () => (await failuresOf(server, id)).length).toBe(1);
    const [{ key } = { key: '' }] = await failuresOf(server, id);
    const before = Number((await server.call('GET', '/inbox/count')).body.count);
    await mark(server, { key, acknowledged: true, note: 'known' });
    expect(await failuresOf(server, id)).toEqual([]);
    expect((await server.call('GET', '/inbox/count')).body.count).toBe(before - 1);
    expect((await failuresOf(server, id, '?hidden=true'))[0]?.mark).toMatchObject({ note: 'known' });
    await server.run(id);
    await expect.poll(async () => (await failuresOf(server, id))[0]?.count).toBe(2);
    await mark(server, { key, mutedUntil: new Date(Date.now() + ahead + hourMs).toISOString() });
    await server.run(id);
    await expect.poll(async () => (await failuresOf(server, id, '?hidden=true'))[0]?.count).toBe(3);
    expect(await failuresOf(server, id)).toEqual([]);
    await mark(server, { key, acknowledged: false, mutedUntil: null });
    expect(await failuresOf(server, id)).toHaveLength(1);
    expect((await mark(server, { key, mutedUntil: '2001-01-01T00:00:00Z' })).status).toBe(422);
  });

  it('O-7.2 O-7.5 lists pauses to decide on, queues and their namespaces', async () => {
    const [server, id] = [shared(), anId()];
    const pause = (more: string) => `tasks:\n  - id: wait\n    type: core.flow.Pause\n${more}`;
    await server.saveFlow(aFlow(id, pause('    onResume: [{ id: reason, type: STRING }]\n')));
    await server.saveFlow(aFlow(`${id}d`, pause('    pauseDuration: PT1H\n')));
    await server.saveFlow(aFlow(`${id}q`, `concurrency: { limit: 1 }\n${pause('')}`));
    await server.waitForState((await server.start(id)).id, 'PAUSED');
    await server.waitForState((await server.start(`${id}d`)).id, 'PAUSED');
    await server.waitForState((await server.start(`${id}q`)).id, 'PAUSED');
    await server.waitForState((await server.start(`${id}q`)).id, 'QUEUED');
    ahead += 6 * 60_000;
    const { items } = await read(server, '?namespace=company');
    const of = (flowId: string) => items.filter((item) => item.flowId === flowId);
    expect(of(id)).toMatchObject([{ kind: 'approval', taskId: 'wait', inputs: ['reason'] }]);
    expect(of(`${id}d`)).toEqual([]);
    expect(of(`${id}q`).map(({ kind }) => kind)).toEqual(['approval', 'queue']);
    expect((await read(server, '?namespace=other')).items).toEqual([]);
  });
});

describe.each(databases)('schedules and durations on $name', (database) => {
  const minute = 60_000;

  it('O-7.3 O-7.4 late schedules, slow executions and missed dates are listed, and rules report them', async () => {
    let ahead = 0;
    const server = await aServer(database, { clock: () => Date.now() + ahead });
    const payload = (body: object) => ({ payload: body });
    await server.call(
      'PUT',
      '/alerts/channels/c',
      payload({ id: 'c', type: 'webhook', url: "{{ secret('X') }}" }),
    );
    for (const type of ['late', 'duration'])
      await server.call(
        'PUT',
        `/alerts/rules/${type}`,
        payload({ id: type, when: { type }, channels: ['c'] }),
      );
    const cron = 'type: core.trigger.Schedule, cron: "*/30 * * * *", recoverMissedSchedules: NONE';
    await server.saveFlow(aFlow('planned', `triggers:\n  - { id: half, ${cron} }\n`));
    await server.saveFlow(
      aFlow(
        'slow',
        'inputs:\n  - { id: door, type: STRING, defaults: "" }\ntasks:\n  - id: wait\n    type: core.flow.If\n    condition: "{{ inputs.door != \'\' }}"\n    then:\n      - { id: stand, type: test.Door, door: "{{ inputs.door }}" }\n',
      ),
    );
    for (let count = 0; count < 5; count++) await server.run('slow');
    const { id } = await server.start('slow', { door: anId() });
    await server.waitForState(id, 'RUNNING');
    await server.product.scheduler.stop();
    ahead += 45 * minute;
    // The dates of a backfill lie in the past: they are late only when it stands still.
    const yearly = 'id: yearly, type: core.trigger.Schedule, cron: "0 0 1 1 *"';
    await server.saveFlow(aFlow('filled', `triggers:\n  - { ${yearly} }\n`));
    const filled = { namespace: 'company.team', flowId: 'filled', triggerId: 'yearly' };
    await server.call(
      'PUT',
      '/triggers',
      payload({ ...filled, backfill: { start: '2001-01-01T00:00:00Z' } }),
    );
    const items = async () => (await read(server)).items.map(({ kind, flowId }) => `${kind} ${flowId}`);
    await expect.poll(items).toEqual(['late planned', 'long slow']);
    await server.product.alerts.evaluator.runRound();
    const { body } = await server.call('GET', '/alerts/incidents');
    expect((body.results as Body[]).map(({ ruleId, flowId }) => `${ruleId} ${flowId}`).sort()).toEqual([
      'duration slow',
      'late planned',
    ]);
    const { overdue, latenessMs } = (await server.call('GET', '/instance/scheduler')).body;
    expect(overdue).toBe(2);
    expect(latenessMs).toBeLessThan(46 * minute);
    ahead += 6 * minute;
    expect(await items()).toContain('late filled');
    await server.call('POST', '/triggers/backfill/delete', payload(filled));
    await server.reopen();
    await expect.poll(items).toContain('missed planned');
    const missed = async () => {
      await server.product.alerts.evaluator.runRound();
      const { results } = (await server.call('GET', '/alerts/incidents')).body as { results: Body[] };
      return results.filter(({ title }) => String(title).endsWith('missed dates')).map(({ state }) => state);
    };
    expect(await missed()).toEqual(['OPEN']);
    await server.call(
      'PUT',
      '/triggers',
      payload({ namespace: 'company.team', flowId: 'planned', triggerId: 'half', disabled: true }),
    );
    ahead += 11 * minute;
    expect(await missed()).toEqual([]);
  });
});

describe('a failure group', () => {
  it('O-7.1 counts per hour, and keeps the last hours only', () => {
    const execution = { id: 'e', namespace: 'a', flowId: 'b' } as Parameters<
      typeof addFailure
    >[1]['execution'];
    const cause = causeOf(execution, 'x', 't');
    const at = (hour: number) => ({ execution, cause, at: hour * hourMs });
    const group = [100, 100, 101, 130].map(at).reduce<FailureGroup | undefined>(addFailure, undefined);
    if (!group) throw new Error('There is no group.');
    expect(group).toMatchObject({ count: 4, firstAt: 100 * hourMs, lastAt: 130 * hourMs });
    const { trend } = presentGroup(group, 0, 130 * hourMs + 1);
    expect(trend).toHaveLength(24);
    expect(trend.at(-1)).toBe(1);
    expect(presentGroup(group, 131 * hourMs, 132 * hourMs).recoveredAt).toBeTruthy();
  });
});

describe('a mark', () => {
  it('hides until something new happens, or until its time', () => {
    expect(isHidden(undefined, 10, 20)).toBe(false);
    expect(isHidden({ acknowledgedAt: 10 }, 10, 20)).toBe(true);
    expect(isHidden({ acknowledgedAt: 10 }, 11, 20)).toBe(false);
    expect(isHidden({ mutedUntil: 21 }, 11, 20)).toBe(true);
    expect(isHidden({ mutedUntil: 20 }, 11, 20)).toBe(false);
  });

  it('keeps what a change does not mention', () => {
    const mark = { acknowledgedAt: 5, mutedUntil: 50, note: 'n' };
    expect(applyMark(mark, { key: 'k', note: ' ' }, 20)).toEqual({ acknowledgedAt: 5, mutedUntil: 50 });
    expect(applyMark(mark, { key: 'k', acknowledged: false, mutedUntil: null }, 20)).toEqual({ note: 'n' });
    expect(applyMark(mark, { key: 'k', acknowledged: true }, 60)).toEqual({ acknowledgedAt: 60, note: 'n' });
  });
});
