import { describe, expect, it, vi } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const token = 'k3y-of-the-kingdom';
const twoLevels = `tasks:
  - id: info
    type: core.log.Log
    message: ["first line", "second line"]
  - id: warn
    type: core.log.Log
    level: WARN
    message: careful
`;

describe.each(databases)('logs on $name (api 3)', (database) => {
  const shared = sharedServer(database, { env: { SECRET_TOKEN: Buffer.from(token).toString('base64') } });

  it('[S2-7l.1] lists the entries of an execution, oldest first', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, twoLevels));
    const { id: executionId } = await server.run(id);
    const messages = async (query: string) => {
      const { body } = await server.call('GET', `/logs/${executionId}?${query}`);
      return (body as unknown as { message: string }[]).map(({ message }) => message);
    };
    expect(await messages('')).toEqual(['first line', 'second line', 'careful']);
    expect(await messages('minLevel=WARN')).toEqual(['careful']);
    expect(await messages('taskId=info&attempt=0')).toEqual(['first line', 'second line']);
    const [entry] = (await server.call('GET', `/logs/${executionId}`)).body as unknown as object[];
    expect(entry).toMatchObject({
      namespace: 'company.team',
      flowId: id,
      executionId,
      taskId: 'info',
      attemptNumber: 0,
      level: 'INFO',
      deleted: false,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await server.call('GET', '/logs/unknown')).body).toEqual([]);
    expect((await server.call('GET', `/logs/${executionId}?minLevel=LOUD`)).status).toBe(422);
  });

  it('[S2-7l.2] downloads the log as text', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, twoLevels));
    const { id: executionId } = await server.run(id);
    const answer = await server.call('GET', `/logs/${executionId}/download?minLevel=WARN`);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${executionId}.log"`);
    expect(answer.body).toMatch(/^\d{4}-\d\d-\d\dT\S+Z WARN careful\n$/);
    expect((await server.call('GET', '/logs/unknown/download')).status).toBe(404);
  });

  it('[S2-7l.4] searches all entries', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, twoLevels));
    const { id: executionId } = await server.run(id);
    const total = async (query: string) =>
      (await server.call('GET', `/logs/search?flowId=${id}&namespace=company.team&${query}`)).body.total;
    expect(await total('')).toBe(3);
    expect(await total('minLevel=WARN')).toBe(1);
    expect(await total('filters[level][NOT_EQUALS]=WARN')).toBe(2);
    expect(await total(`filters[executionId][EQUALS]=${executionId}`)).toBe(3);
    expect(await total('filters[executionId][IN]=other,another')).toBe(0);
    await expect.poll(() => total('q=second')).toBe(1);
  });

  it('[A18] keeps every line of a flood, in order, and returns all of them a page at a time', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'tasks:\n  - id: x\n    type: test.Chatty\n    lines: 5000'));
    const { id: executionId } = await server.run(id);
    await server.product.logs.flush();
    const asked = vi.spyOn(server.product.store, 'listLogs');
    const { body } = await server.call('GET', `/logs/${executionId}`);
    expect(asked.mock.calls.map(([query]) => query.limit)).toEqual([200, ...new Array(5).fill(1_000)]);
    asked.mockRestore();
    const lines = (body as unknown as { message: string }[]).map(({ message }) => message);
    expect(lines).toEqual(Array.from({ length: 5_000 }, (_, line) => `line ${line}`));
  });

  it('leaves out what is below the level of the task', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(id, 'tasks:\n  - id: x\n    type: core.log.Log\n    message: quiet\n    logLevel: ERROR'),
    );
    const { id: executionId } = await server.run(id);
    expect((await server.call('GET', `/logs/${executionId}`)).body).toEqual([]);
  });

  it('[A32] covers secrets, however a task prints them', async () => {
    const [server, id] = [shared(), anId()];
    const message = `["{{ secret('TOKEN') }}", "{{ secret('TOKEN') | base64encode }}", "a {{ secret('TOKEN') | upper }} b"]`;
    await server.saveFlow(aFlow(id, `tasks:\n  - id: x\n    type: core.log.Log\n    message: ${message}`));
    const { id: executionId } = await server.run(id);
    const text = JSON.stringify((await server.call('GET', `/logs/${executionId}`)).body);
    expect(text).toContain('**masked*');
    for (const form of [token, Buffer.from(token).toString('base64'), token.toUpperCase()]) {
      expect(text).not.toContain(form);
    }
  });
});
