import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

describe.each(databases)('flows to execute, and deletion of logs, on $name', (database) => {
  const shared = sharedServer(database);
  const get = (path: string) => shared().call('GET', path);

  it('lists the executions of exactly one flow', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const [first, second] = [await server.run(id), await server.run(id)];
    const { body } = await get(`/executions?namespace=company.team&flowId=${id}&size=1`);
    expect(body).toMatchObject({ total: 2, results: [{ id: second.id }] });
    expect(
      (await get(`/executions?namespace=company.team&flowId=${id}&page=2&size=1`)).body.results,
    ).toMatchObject([{ id: first.id }]);
    expect((await get(`/executions?namespace=company&flowId=${id}`)).body.total).toBe(0);
    for (const query of ['', '?namespace=company.team', `?flowId=${id}`]) {
      expect([query, (await get(`/executions${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('[S2-7e.26] reads a flow to execute, of any revision', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'inputs:\n  - id: who\n    type: STRING'));
    const path = `/executions/flows/company.team/${id}`;
    expect((await get(path)).body).toMatchObject({
      id,
      namespace: 'company.team',
      revision: 1,
      inputs: [{ id: 'who', type: 'STRING' }],
      tasks: [{ id: 'hello', type: 'core.log.Log' }],
    });
    expect((await get(`${path}?revision=1`)).status).toBe(200);
    expect((await get(`${path}?revision=2`)).status).toBe(404);
    await server.call('DELETE', `/flows/company.team/${id}`);
    expect((await get(path)).status).toBe(404);
    expect((await get('/executions/flows/company.team/nobody')).status).toBe(404);
  });

  it('[S2-7e.28] lists namespaces with flows, and their flows', async () => {
    const server = shared();
    const namespace = `reads.${anId()}`;
    for (const id of ['b', 'a']) await server.saveFlow(aFlow(id).replace('company.team', namespace));
    await server.saveFlow(aFlow('inner').replace('company.team', `${namespace}.child`));
    const namespaces = (await get('/executions/namespaces')).body;
    expect(namespaces).toEqual(expect.arrayContaining([namespace, `${namespace}.child`]));
    const flows = (await get(`/executions/namespaces/${namespace}/flows`)).body;
    expect(flows).toMatchObject([
      { id: 'a', namespace },
      { id: 'b', namespace },
    ]);
    expect((await get('/executions/namespaces/nobody/flows')).body).toEqual([]);
  });

  it('[S2-7l.3] deletes log entries by all selectors, also those not yet written', async () => {
    const [server, id] = [shared(), anId()];
    const task = (name: string, level: string) =>
      `  - id: ${name}\n    type: core.log.Log\n    message: ${name}\n    level: ${level}\n`;
    await server.saveFlow(aFlow(id, `tasks:\n${task('a', 'INFO')}${task('b', 'ERROR')}${task('c', 'WARN')}`));
    const { id: executionId } = await server.run(id);
    const messages = async () =>
      ((await get(`/logs/${executionId}`)).body as unknown as { message: string }[]).map(
        ({ message }) => message,
      );
    const remove = (query: string) => server.call('DELETE', `/logs/${executionId}${query}`);
    expect(await messages()).toEqual(['a', 'b', 'c']);
    expect((await remove('?taskId=a&minLevel=WARN')).status).toBe(200);
    expect(await messages()).toEqual(['a', 'b', 'c']);
    await remove('?minLevel=ERROR');
    expect(await messages()).toEqual(['a', 'c']);
    await remove('?taskId=a');
    expect(await messages()).toEqual(['c']);
    const log = {
      tenantId: 'main',
      namespace: 'company.team',
      flowId: id,
      executionId,
      at: 0,
      level: 'INFO',
      message: 'late',
    } as const;
    void server.product.logs.addLog(executionId, log);
    const { status, body } = await remove('');
    expect([status, body]).toEqual([200, '']);
    expect(await messages()).toEqual([]);
    expect((await remove('?minLevel=LOUD')).status).toBe(422);
  });

  it('[S2-7l.5] deletes the log of a flow, or of one of its triggers', async () => {
    const [server, id] = [shared(), anId()];
    const log = { tenantId: 'main', namespace: 'company.team', flowId: id, at: 0, level: 'INFO' } as const;
    await server.product.store.commit(
      ['t', 'u', undefined].map((triggerId) => ({
        op: 'log.insert' as const,
        log: { ...log, message: 'x', ...(triggerId === undefined ? {} : { triggerId }) },
      })),
    );
    const total = async () => (await get(`/logs/search?flowId=${id}`)).body.total;
    await server.call('DELETE', `/logs/company.team/${id}?triggerId=t`);
    expect(await total()).toBe(2);
    await server.call('DELETE', `/logs/company/${id}`);
    expect(await total()).toBe(2);
    expect((await server.call('DELETE', `/logs/company.team/${id}`)).status).toBe(200);
    expect(await total()).toBe(0);
  });
});
