import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, stateOf } from '../../testing/aServer.ts';
import { breakable, mend } from '../../testing/breakable.ts';
import { databases } from '../../testing/databases.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const log = '  - id: done\n    type: core.log.Log\n    message: x\n';
const broken = (name: string) => `tasks:\n  - id: ko\n    type: test.Breakable\n    name: ${name}\n`;
const door = (name: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${name}\n`;
const pause = `tasks:\n  - id: ask\n    type: core.flow.Pause\n${log}`;
const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});

describe.each(databases)('actions on many executions on $name', (database) => {
  const shared = sharedServer(database, { definitions: [breakable] });
  const bulk = (path: string, payload?: unknown, method: 'POST' | 'DELETE' = 'POST') =>
    shared().call(method, `/executions/${path}`, payload === undefined ? {} : json(payload));

  /** A saved flow and executions of it, in the order they were started. */
  const started = async (flow: (id: string) => string, count: number, state: string) => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, flow(id)));
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push((await server.start(id)).id);
    for (const each of ids) await server.waitForState(each, state);
    return { id, ids, first: ids[0] ?? '', second: ids[1] ?? '' };
  };
  const ended = (count: number) => started(() => '', count, 'SUCCESS');
  const running = async (count: number) => {
    const made = await started(door, count, 'RUNNING');
    await expect.poll(() => arrivals(made.id)).toBe(count);
    return made;
  };
  const statesOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => stateOf(await shared().read(id))));

  const refusals: readonly [string, 'POST' | 'DELETE', string, string, string][] = [
    ['[S2-7e.2]', 'POST', 'restart', 'invalid bulk restart', 'execution not in state FAILED'],
    ['[S2-7e.3]', 'POST', 'resume', 'invalid bulk resume', 'execution not in state PAUSED'],
    ['[S2-7e.4]', 'POST', 'pause', 'invalid bulk pause', 'execution not in state RUNNING'],
    ['[S2-7e.7]', 'POST', 'unqueue', 'invalid bulk unqueue', 'execution not in state QUEUED'],
    ['[S2-7e.8]', 'POST', 'force-run', 'invalid bulk force run', 'execution in a terminated state'],
    ['[S2-7e.14]', 'DELETE', 'kill', 'invalid bulk kill', 'execution already finished'],
  ];

  it.each(refusals)(
    '%s %s %s does nothing when one is in the wrong state',
    async (_, method, action, top, each) => {
      const { id, first } = await ended(1);
      const expected = {
        message: top,
        invalids: [
          { message: 'execution not found', invalidValue: 'nobody' },
          { message: each, invalidValue: first },
        ],
      };
      const byIds = await bulk(`${action}/by-ids`, ['nobody', first, first], method);
      expect([byIds.status, byIds.body]).toEqual([400, expected]);
      const byQuery = await bulk(`${action}/by-query?flowId=${id}`, undefined, method);
      expect([byQuery.status, byQuery.body]).toEqual([
        400,
        { message: top, invalids: [{ message: each, invalidValue: first }] },
      ]);
      const none = await bulk(`${action}/by-query?flowId=unknown`, undefined, method);
      expect([none.status, none.body]).toEqual([200, { count: 0, totalItems: 0 }]);
      expect(await statesOf([first])).toEqual(['SUCCESS']);
    },
  );

  it('[S2-7e.2] restarts those that failed', async () => {
    const { id, ids } = await started(broken, 3, 'FAILED');
    mend(id);
    const some = await bulk('restart/by-ids', ids.slice(0, 2));
    expect(some.body).toEqual({ count: 2, totalItems: 2 });
    for (const each of ids.slice(0, 2)) await shared().waitForState(each, 'SUCCESS');
    const rest = await bulk(`restart/by-query?filters[flowId][EQUALS]=${id}&state=FAILED`);
    expect(rest.body).toEqual({ count: 1, totalItems: 1 });
    await shared().waitForState(ids[2] ?? '', 'SUCCESS');
  });

  it('[S2-7e.3] [S2-7e.4] pauses and resumes', async () => {
    const { id, ids } = await running(2);
    expect((await bulk(`pause/by-query?flowId=${id}`)).body.count).toBe(2);
    expect(await statesOf(ids)).toEqual(['PAUSED', 'PAUSED']);
    expect((await bulk('resume/by-ids', ids)).body.count).toBe(2);
    expect(await statesOf(ids)).toEqual(['RUNNING', 'RUNNING']);
    openDoor(id);
    for (const each of ids) await shared().waitForState(each, 'SUCCESS');
    const asking = await started(() => pause, 2, 'PAUSED');
    expect((await bulk(`resume/by-query?flowId=${asking.id}`)).body.count).toBe(2);
    for (const each of asking.ids) await shared().waitForState(each, 'SUCCESS');
  });

  it('[S2-7e.5] replays, on the revision of each or on the latest', async () => {
    const server = shared();
    const { id, ids } = await ended(2);
    await server.call('PUT', `/flows/company.team/${id}`, {
      headers: { 'content-type': 'application/x-yaml' },
      payload: aFlow(id, 'description: new'),
    });
    expect((await bulk('replay/by-ids', ids)).body).toEqual({ count: 2, totalItems: 2 });
    expect((await bulk('replay/by-ids?latestRevision=true', ids.slice(1))).body.count).toBe(1);
    const { body } = await server.call('GET', `/executions/search?flowId=${id}&labels=system.replay:true`);
    const revisions = (body.results as { flowRevision: number }[]).map(({ flowRevision }) => flowRevision);
    expect(revisions.sort()).toEqual([1, 1, 2]);
    const missing = await bulk('replay/by-ids', ['nobody']);
    expect([missing.status, missing.body.message]).toEqual([400, 'invalid bulk replay']);
  });

  it('[S2-7e.6] changes the status of those that ended', async () => {
    const { id, ids } = await ended(2);
    expect((await bulk('change-status/by-ids?newStatus=FAILED', ids)).body.count).toBe(2);
    expect(await statesOf(ids)).toEqual(['FAILED', 'FAILED']);
    expect((await bulk('change-status/by-ids', ids)).status).toBe(400);
    expect((await bulk('change-status/by-ids?newStatus=RUNNING', ids)).status).toBe(422);
    const { first } = await running(1);
    const refused = await bulk('change-status/by-ids?newStatus=FAILED', [first]);
    expect(refused.body).toEqual({
      message: 'invalid bulk change executions state',
      invalids: [{ message: 'execution not in a terminated state', invalidValue: first }],
    });
    expect((await bulk(`change-status/by-query?newStatus=WARNING&flowId=${id}`)).body.count).toBe(2);
  });

  it('[S2-7e.9] adds labels and overwrites the same keys', async () => {
    const server = shared();
    const id = anId();
    await server.saveFlow(aFlow(id, 'labels:\n  team: data\n  kept: "yes"'));
    const execution = await server.run(id);
    const executionLabels = [
      { key: 'team', value: 'ops' },
      { key: 'new', value: 'x' },
    ];
    const { body } = await bulk('labels/by-ids', { executionsId: [execution.id], executionLabels });
    expect(body.count).toBe(1);
    const expected = [
      { key: 'system.correlationId', value: execution.id },
      { key: 'team', value: 'ops' },
      { key: 'kept', value: 'yes' },
      { key: 'new', value: 'x' },
    ];
    const read = async () => (await server.read(execution.id)).labels;
    expect(await read()).toHaveLength(4);
    expect(await read()).toEqual(expect.arrayContaining(expected));
    const byQuery = await bulk(`labels/by-query?flowId=${id}&labels=new:x`, [{ key: 'last', value: 'one' }]);
    expect(byQuery.body.count).toBe(1);
    expect(await read()).toContainEqual({ key: 'last', value: 'one' });
    const reserved = { executionsId: [execution.id], executionLabels: [{ key: 'system.x', value: 'y' }] };
    expect((await bulk('labels/by-ids', reserved)).status).toBe(422);
    const { first } = await running(1);
    const refused = await bulk('labels/by-ids', { executionsId: [first], executionLabels });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message: 'invalid bulk set labels',
        invalids: [{ message: 'execution is not terminated', invalidValue: first }],
      },
    ]);
  });

  it('[S2-7e.14] kills a storm of executions', async () => {
    const { id, ids } = await running(12);
    const answers = await Promise.all([
      bulk('kill/by-ids', ids, 'DELETE'),
      bulk(`kill/by-query?flowId=${id}&state=RUNNING`, undefined, 'DELETE'),
    ]);
    // The second may find some of them killed already; nothing is ever left running.
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const each of ids) await shared().waitForState(each, 'KILLED');
  });

  it('[S2-7e.21] deletes those that ended, or all when told', async () => {
    const server = shared();
    const { ids } = await ended(2);
    const open = await running(1);
    const refused = await bulk('by-ids', [...ids, open.first], 'DELETE');
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message: 'invalid bulk delete',
        invalids: [{ message: 'execution not found', invalidValue: open.first }],
      },
    ]);
    const all = await bulk(
      'by-ids?includeNonTerminated=true&deleteLogs=false',
      [...ids, open.first],
      'DELETE',
    );
    expect(all.body).toEqual({ count: 3, totalItems: 3 });
    for (const each of [...ids, open.first]) {
      expect((await server.call('GET', `/executions/${each}`)).status).toBe(404);
    }
    expect(await server.product.store.listLogs({ executionId: ids[0] ?? '' })).toHaveLength(1);
    const more = await ended(2);
    expect((await bulk(`by-query?flowId=${more.id}`, undefined, 'DELETE')).body.count).toBe(2);
  });

  it('refuses filters it does not understand instead of acting on everything', async () => {
    const { first } = await ended(1);
    for (const query of ['filters[nope][EQUALS]=x', 'filters[state][REGEX]=x', 'state=NOPE', 'filters=x']) {
      const { status } = await bulk(`by-query?${query}`, undefined, 'DELETE');
      expect([query, status]).toEqual([query, 422]);
    }
    expect(await statesOf([first])).toEqual(['SUCCESS']);
    expect((await bulk('restart/by-ids', { not: 'a list' })).status).toBe(422);
    expect((await bulk('restart/by-ids')).status).toBe(422);
  });
});
