import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, stateOf, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { readStream } from '../../testing/readStream.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const door = (name: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${name}\n`;

describe.each(databases)('calls of later clients on $name (api 10)', (database) => {
  const shared = sharedServer(database);

  it('deletes old revisions, all or none', async () => {
    const [server, id] = [shared(), anId()];
    const path = `/flows/company.team/${id}`;
    await server.saveFlow(aFlow(id));
    for (const text of ['two', 'three', 'four'])
      await server.call('PUT', path, yaml(aFlow(id, `description: ${text}`)));
    const revisions = async () =>
      ((await server.call('GET', `${path}/revisions`)).body as unknown as { revision: number }[]).map(
        ({ revision }) => revision,
      );
    const remove = async (query: string) => (await server.call('DELETE', `${path}/revisions${query}`)).status;
    expect([
      await remove(''),
      await remove('?revisions=x'),
      await remove('?revisions=1&revisions=4'),
      await remove('?revisions=1&revisions=9'),
    ]).toEqual([422, 422, 422, 404]);
    expect((await server.call('DELETE', '/flows/company.team/nobody/revisions?revisions=1')).status).toBe(
      404,
    );
    expect(await revisions()).toEqual([1, 2, 3, 4]);
    expect((await server.call('GET', `${path}?revision=1`)).status).toBe(200);
    expect(await remove('?revisions=1&revisions=3')).toBe(200);
    expect(await revisions()).toEqual([2, 4]);
    expect((await server.call('GET', `${path}?revision=1`)).status).toBe(404);
    const saved = await server.call('PUT', path, yaml(aFlow(id, 'description: five')));
    expect(saved.body.revision).toBe(5);
  });

  it('keeps a revision that an execution still runs', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, door(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await server.call('PUT', `/flows/company.team/${id}`, yaml(aFlow(id)));
    const remove = () => server.call('DELETE', `/flows/company.team/${id}/revisions?revisions=1`);
    expect((await remove()).status).toBe(409);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
    await expect.poll(async () => (await remove()).status).toBe(200);
    expect((await server.read(executionId)).flowRevision).toBe(1);
  });

  it('tells how many places under a limit are taken', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `concurrency:\n  limit: 2\n${door(id)}`));
    const runs = [];
    for (let n = 0; n < 3; n++) runs.push(await server.start(id));
    await expect.poll(() => arrivals(id)).toBe(2);
    await server.waitForState(runs[2]?.id ?? '', 'QUEUED');
    const taken = { tenantId: 'main', namespace: 'company.team', flowId: id, running: 2 };
    const { body } = await server.call('GET', '/concurrency-limit/search?size=100');
    expect((body.results as { flowId: string }[]).filter(({ flowId }) => flowId === id)).toEqual([taken]);
    const refreshed = await server.call('PUT', `/concurrency-limit/company.team/${id}`, {
      payload: { running: 0 },
    });
    expect([refreshed.status, refreshed.body]).toEqual([200, taken]);
    expect(stateOf(await server.read(runs[2]?.id ?? ''))).toBe('QUEUED');
    expect((await server.call('PUT', '/concurrency-limit/company.team/none')).status).toBe(404);
    openDoor(id);
    for (const run of runs) await server.waitForState(run.id, 'SUCCESS');
  });

  it('knows the processes that work on the same data', async () => {
    const server = shared();
    const { body } = await server.call('GET', '/cluster/services');
    const [self] = body.results as { id: string }[];
    expect(self).toMatchObject({ type: 'STANDALONE', state: 'RUNNING' });
    expect((await server.call('GET', `/cluster/services/${self?.id}`)).body).toMatchObject({ id: self?.id });
    expect((await server.call('GET', '/cluster/services/nobody')).status).toBe(404);
  });

  it('follows all executions that belong together until the last has ended', async () => {
    const [server, id] = [shared(), anId()];
    const origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.reopen());
    await server.saveFlow(aFlow(`${id}-child`, door(id)));
    await server.saveFlow(
      aFlow(
        `${id}-parent`,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${id}-child\n    wait: true\n`,
      ),
    );
    await server.saveFlow(
      aFlow(
        `${id}-after`,
        `triggers:\n  - id: then\n    type: core.trigger.Flow\n    conditions:\n      - type: core.condition.ExecutionFlow\n        namespace: company.team\n        flowId: ${id}-parent\n      - type: core.condition.ExecutionStatus\n        in: [SUCCESS]\n`,
      ),
    );
    // Not related to the others.
    await server.saveFlow(aFlow(`${id}-other`));
    const parent = await server.start(`${id}-parent`);
    await server.start(`${id}-other`, {}, `?labels=system.correlationId:${parent.id}`);
    const stream = await readStream(
      `${origin}/api/v1/main/executions/${parent.id}/follow-dependencies?expandAll=true`,
    );
    await expect.poll(() => arrivals(id)).toBe(1);
    openDoor(id);
    const frames = await stream.all();
    expect([frames[0]?.id, frames.at(-1)?.id]).toEqual(['start', 'end-all']);
    const framesOf = (flowId: string) =>
      frames
        .slice(1, -1)
        .filter(({ data }) => data.flowId === flowId)
        .map(({ id: frameId, data }) => `${frameId} ${stateOf(data)}`);
    for (const flowId of [`${id}-parent`, `${id}-child`, `${id}-after`])
      expect(framesOf(flowId)).toEqual(['progress CREATED', 'progress RUNNING', 'end SUCCESS']);
    expect(framesOf(`${id}-other`)).toEqual([]);
    expect(Object.keys(frames[1]?.data ?? {})).toEqual([
      'executionId',
      'tenantId',
      'namespace',
      'flowId',
      'state',
    ]);
  });
});
