import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

const door = (id: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${id}\n`;
const limited = (limit: number, tasks: string) =>
  `concurrency: { limit: ${limit}, behavior: QUEUE }\n${tasks}`;

describe.each(databases)('a limit and those who wait under it, on $name', (database) => {
  const shared = sharedServer(database);
  const save = async (id: string, source: string) => {
    const { status } = await shared().call('PUT', `/flows/company.team/${id}`, yaml(aFlow(id, source)));
    expect(status).toBe(200);
  };
  const startMany = async (id: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await shared().start(id)).id);
    return ids;
  };
  const statesOfAll = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => stateOf(await shared().read(id))));

  it.each([
    ['is raised', 2, ['RUNNING', 'RUNNING', 'QUEUED', 'QUEUED']],
    ['is removed', undefined, ['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING']],
  ])('[E5] one that %s lets them start at once, without anyone having ended', async (_, limit, expected) => {
    const id = anId();
    await shared().saveFlow(aFlow(id, limited(1, door(id))));
    const runs = await startMany(id, 4);
    await expect.poll(() => statesOfAll(runs)).toEqual(['RUNNING', 'QUEUED', 'QUEUED', 'QUEUED']);
    await save(id, limit === undefined ? door(id) : limited(limit, door(id)));
    await expect.poll(() => statesOfAll(runs)).toEqual(expected);
    openDoor(id);
    for (const run of runs) await shared().waitForState(run, 'SUCCESS');
  });

  it('[E5] one that was lowered counts for everyone, also after a restart', async () => {
    const id = anId();
    await shared().saveFlow(aFlow(id, limited(3, door(id))));
    const runs = await startMany(id, 5);
    const [first, second, third, ...waiting] = runs as [string, string, string, ...string[]];
    await expect.poll(() => arrivals(id)).toBe(3);
    await save(id, limited(1, door(id)));
    await shared().call('DELETE', `/executions/${first}/kill`);
    await shared().waitForState(first, 'KILLED');
    await shared().reopen();
    // Decided about after all that were there before.
    const [last = ''] = await startMany(id, 1);
    await shared().waitForState(last, 'QUEUED');
    await expect
      .poll(() => statesOfAll([second, third, ...waiting]))
      .toEqual(['RUNNING', 'RUNNING', 'QUEUED', 'QUEUED']);
    await expect.poll(() => arrivals(id)).toBe(5);
    for (const run of [second, third]) await shared().call('DELETE', `/executions/${run}/kill`);
    await expect.poll(() => statesOfAll([...waiting, last])).toEqual(['RUNNING', 'QUEUED', 'QUEUED']);
    openDoor(id);
    for (const run of [...waiting, last]) await shared().waitForState(run, 'SUCCESS');
  });

  it('[E5] one that goes and comes back counts what was started without it', async () => {
    const id = anId();
    await shared().saveFlow(aFlow(id, limited(1, door(id))));
    const [first = ''] = await startMany(id, 1);
    await save(id, door(id));
    const [second = ''] = await startMany(id, 1);
    await expect.poll(() => arrivals(id)).toBe(2);
    await save(id, limited(1, `description: again\n${door(id)}`));
    const [third = ''] = await startMany(id, 1);
    await shared().waitForState(third, 'QUEUED');
    await shared().call('DELETE', `/executions/${first}/kill`);
    await shared().waitForState(first, 'KILLED');
    const [fourth = ''] = await startMany(id, 1);
    await shared().waitForState(fourth, 'QUEUED');
    expect(await statesOfAll([second, third])).toEqual(['RUNNING', 'QUEUED']);
    openDoor(id);
    for (const run of [second, third, fourth]) await shared().waitForState(run, 'SUCCESS');
  });

  it('[E5] one that the flow has now counts for an older revision without it', async () => {
    const id = anId();
    await shared().saveFlow(aFlow(id, door(id)));
    await save(id, limited(1, door(id)));
    const [first = ''] = await startMany(id, 1);
    await shared().waitForState(first, 'RUNNING');
    const older = await shared().call('POST', `/executions/company.team/${id}?revision=1`);
    expect(older.status).toBe(200);
    const second = String(older.body.id);
    await shared().waitForState(second, 'QUEUED');
    openDoor(id);
    for (const run of [first, second]) await shared().waitForState(run, 'SUCCESS');
  });

  const paused = 'tasks:\n  - id: ask\n    type: core.flow.Pause\n';
  const json = (payload: unknown) => ({
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
  const ends: [string, string, (id: string, first: string) => Promise<{ status: number }>][] = [
    ['is resumed', paused, (_, first) => shared().call('POST', `/executions/${first}/resume`)],
    ['is killed', paused, (_, first) => shared().call('DELETE', `/executions/${first}/kill`)],
    ['is deleted', paused, (_, first) => shared().call('DELETE', `/executions/${first}`)],
    [
      'is killed with many',
      paused,
      (_, first) => shared().call('DELETE', '/executions/kill/by-ids', json([first])),
    ],
    [
      'is deleted by a query',
      paused,
      (id) =>
        shared().call('DELETE', `/executions/by-query?flowId=${id}&state=PAUSED&includeNonTerminated=true`),
    ],
    [
      'is marked as failed',
      paused,
      async (_, first) => {
        const [ask] = taskRunsOf(await shared().read(first));
        return shared().call(
          'POST',
          `/executions/${first}/state`,
          json({ taskRunId: ask?.id, state: 'FAILED' }),
        );
      },
    ],
    [
      'loses its flow, which is deleted',
      paused,
      async (id, first) => {
        await shared().call('DELETE', `/flows/company.team/${id}`);
        return shared().call('POST', `/executions/${first}/resume`);
      },
    ],
    [
      'ends of a flow that is switched off',
      paused,
      async (id, first) => {
        await save(id, `disabled: true\n${limited(1, paused)}`);
        return shared().call('POST', `/executions/${first}/resume`);
      },
    ],
  ];

  it.each(ends)('the next one starts when the one before %s', async (_, tasks, end) => {
    const id = anId();
    await shared().saveFlow(aFlow(id, limited(1, tasks)));
    const [first = '', second = ''] = await startMany(id, 2);
    await shared().waitForState(first, 'PAUSED');
    await shared().waitForState(second, 'QUEUED');
    expect((await end(id, first)).status).toBeLessThan(300);
    await shared().waitForState(second, 'PAUSED');
    await shared().call('POST', `/executions/${second}/resume`);
    await shared().waitForState(second, 'SUCCESS');
  });
});
