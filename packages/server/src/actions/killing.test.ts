import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, statesOf, taskRunsOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

const door = (name: string, id = 'wait') => `  - id: ${id}\n    type: test.Door\n    door: ${name}\n`;
const after = '  - id: after\n    type: core.log.Log\n    message: never\n';

/** A kill, a restart or a deletion at the worst moment. */
describe.each(databases)('[A38] killing and deleting in the middle of things on $name', (database) => {
  const shared = sharedServer(database);
  const kill = (id: string) => shared().call('DELETE', `/executions/${id}/kill`);

  const moments: readonly [string, string, string][] = [
    [
      'during a retry',
      'RETRYING',
      `tasks:\n  - id: ko\n    type: test.Throw\n    retry: { type: constant, interval: PT1H, maxAttempt: 3 }\n${after}`,
    ],
    ['during a pause', 'PAUSED', `tasks:\n  - id: ask\n    type: core.flow.Pause\n${after}`],
    [
      'during a pause inside a loop',
      'PAUSED',
      `tasks:\n  - id: each\n    type: core.flow.ForEach\n    values: ["1", "2"]\n    tasks:\n      - id: ask\n        type: core.flow.Pause\n${after}`,
    ],
  ];
  it.each(moments)('[S2-7e.13] %s', async (_, state, tasks) => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, tasks));
    const { id: executionId } = await server.start(id);
    await server.waitForState(executionId, state);
    expect((await kill(executionId)).status).toBe(202);
    const killed = await server.waitForState(executionId, 'KILLED');
    expect(statesOf(killed).slice(-2)).toEqual(['KILLING', 'KILLED']);
    expect(taskRunsOf(killed).map((run) => run.taskId)).not.toContain('after');
    expect(taskRunsOf(killed).map(stateOf)).toEqual(taskRunsOf(killed).map(() => 'KILLED'));
    expect((await server.call('POST', `/executions/${executionId}/resume`)).status).toBe(409);
  });

  it('[S2-7e.13] before its date, and in the queue', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `concurrency: { limit: 1, behavior: QUEUE }\ntasks:\n${door(id)}`));
    const later = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    const scheduled = await server.start(id, {}, `?scheduleDate=${later}`);
    const [first, queued] = [await server.start(id), await server.start(id)];
    await server.waitForState(queued.id, 'QUEUED');
    for (const { id: executionId } of [scheduled, queued]) {
      await kill(executionId);
      const killed = await server.waitForState(executionId, 'KILLED');
      expect(killed.taskRunList).toBeUndefined();
    }
    openDoor(id);
    await server.waitForState(first.id, 'SUCCESS');
  });

  it('[S2-7e.13] while it waits for a subflow, which is killed too', async () => {
    const [server, id] = [shared(), anId()];
    const child = anId();
    await server.saveFlow(aFlow(child, `tasks:\n${door(child)}`));
    await server.saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${child}\n${after}`,
      ),
    );
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(child)).toBe(1);
    await kill(executionId);
    const killed = await server.waitForState(executionId, 'KILLED');
    expect(taskRunsOf(killed).map((run) => [run.taskId, stateOf(run)])).toEqual([['call', 'KILLED']]);
    const { body } = await server.call('GET', `/executions/search?flowId=${child}`);
    const [childExecution] = body.results as { id: string }[];
    await server.waitForState(childExecution?.id ?? '', 'KILLED');
  });

  it('[S2-7e.13] in a finally block', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(id, `tasks:\n  - id: ko\n    type: test.Throw\nfinally:\n${door(id, 'clean')}`),
    );
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await kill(executionId);
    const killed = await server.waitForState(executionId, 'KILLED');
    expect(taskRunsOf(killed).map((run) => [run.taskId, stateOf(run)])).toEqual([
      ['ko', 'FAILED'],
      ['clean', 'KILLED'],
    ]);
  });

  it('a restart, a mark or a pause while it is being killed is refused', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n  - id: stubborn\n    type: test.Stubborn\n    door: ${id}\n`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await kill(executionId);
    expect(stateOf(await server.read(executionId))).toBe('KILLING');
    expect((await server.call('POST', `/executions/${executionId}/restart`)).status).toBe(409);
    const [run] = taskRunsOf(await server.read(executionId));
    const mark = await server.call('POST', `/executions/${executionId}/state`, {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ taskRunId: run?.id, state: 'SUCCESS' }),
    });
    expect(mark.status).toBe(409);
    expect((await server.call('POST', `/executions/${executionId}/pause`)).status).toBe(422);
    openDoor(id);
    const killed = await server.waitForState(executionId, 'KILLED');
    expect(statesOf(killed)).toEqual(['CREATED', 'RUNNING', 'KILLING', 'KILLED']);
  });

  it('[S2-7e.13] a storm: those who run, wait and just start are killed together, and every place is free again', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `concurrency: { limit: 2, behavior: QUEUE }\ntasks:\n${door(id)}`));
    const started = await Promise.all(Array.from({ length: 12 }, () => server.start(id)));
    const storm = () =>
      server.call(
        'DELETE',
        `/executions/kill/by-query?flowId=${id}&state=RUNNING&state=QUEUED&state=CREATED`,
      );
    const answers = await Promise.all([storm(), storm(), storm()]);
    // Of two requests for the same execution, one may find it gone and is refused.
    expect(answers.map(({ status }) => status)).toContain(200);
    await storm();
    for (const { id: executionId } of started) await server.waitForState(executionId, 'KILLED');
    const next = [await server.start(id), await server.start(id), await server.start(id)];
    await server.waitForState(next[2]?.id ?? '', 'QUEUED');
    for (const { id: executionId } of next.slice(0, 2)) await server.waitForState(executionId, 'RUNNING');
    openDoor(id);
    for (const { id: executionId } of next) await server.waitForState(executionId, 'SUCCESS');
  });

  it('[S2-7e.20] a deletion while it runs interrupts it, and nothing comes back', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${door(id)}${after}`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const paths = [`/executions/${executionId}`, `/executions/${executionId}`];
    const answers = await Promise.all(paths.map((path) => server.call('DELETE', path)));
    expect(answers.map(({ status }) => status)).toContain(204);
    openDoor(id);
    expect((await server.call('GET', `/executions/${executionId}`)).status).toBe(404);
    expect((await server.call('POST', `/executions/${executionId}/restart`)).status).toBe(404);
    expect((await server.call('GET', `/logs/${executionId}`)).body).toEqual([]);
    expect((await server.call('GET', `/executions/search?flowId=${id}`)).body.total).toBe(0);
  });
});
