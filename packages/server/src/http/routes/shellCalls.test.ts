import { describe, expect, it } from 'vitest';
import { loadTutorial } from '../../content/loadTutorial.ts';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

/** The calls that the web app's shell makes, exactly as it makes them. */
describe.each(databases)('the calls of the shell on $name', (database) => {
  const shared = sharedServer(database, { settings: { tutorial: { enabled: true } } });
  const get = (url: string) => shared().app.inject({ method: 'GET', url });

  it('[S1-7.1] [S1-7.2] [S1-7.3] the start reads the configuration, the provider and the news', async () => {
    for (const tenant of ['', '/main']) {
      const { body } = await shared().call('GET', `${tenant}/configs`);
      expect(body).toMatchObject({
        uuid: shared().product.instanceId,
        version: expect.any(String),
        isBasicAuthEnabled: false,
        isTaskRunEnabled: true,
        resourceToFilters: expect.any(Array),
      });
    }
    expect((await get('/v1/config')).json()).toEqual({ id: shared().product.instanceId });
    const { feeds } = (await get('/v1/feeds?version=0.1.0&iid=i&uid=u')).json();
    expect(feeds[0]).toMatchObject({ id: expect.any(String), publicationDate: expect.any(String) });
  });

  it('[S1-7.4] the first visit asks for ten flows and ten executions and reads how many there are', async () => {
    const [server, id] = [shared(), anId()];
    const totals = async () => [
      (await server.call('GET', '/flows/search?size=10&sort=id%3Aasc')).body.total,
      (await server.call('GET', '/executions/search?size=10')).body.total,
    ];
    const [flows, executions] = (await totals()) as [number, number];
    await server.saveFlow(aFlow(id));
    await server.run(id);
    expect(await totals()).toEqual([flows + 1, executions + 1]);
  });

  it('[S1-7.5] the tour finds its flows as those of a namespace', async () => {
    await loadTutorial(shared().product);
    const { body } = await shared().call('GET', '/flows/tutorial');
    const found = body as unknown as { id: string; description?: string; tasks: object[] }[];
    const hello = found.find(({ id }) => id === 'hello_world');
    expect(hello).toMatchObject({ description: expect.any(String), tasks: expect.any(Array) });
  });

  it('[S1-7.7] documentation is a tree, pages, pages of screens and files', async () => {
    expect((await get('/v1/docs/versions/0.1.0/children')).json()).toHaveProperty(['build/inputs']);
    expect((await get('/v1/docs/build/versions/0.1.0/children')).json()).not.toHaveProperty(['get-started']);
    expect((await get('/v1/docs/versions/0.1.0/doc/flows')).statusCode).toBe(200);
    expect((await get('/v1/resources/oss.json/versions/0.1.0')).statusCode).toBe(200);
  });

  it.each([
    ['S1-7.8', { type: 'ONBOARDING', onboarding: { step: 1, action: 'next', template: 'hello_world' } }],
    ['S1-7.9', { type: 'ERROR', error: { message: 'x', errors: [], response: { status: 500 } } }],
    ['S1-7.12', { type: 'PAGE' }],
  ])('[%s] an event is accepted as text or JSON and dropped', async (_, event) => {
    const payload = JSON.stringify({
      ...event,
      iid: 'i',
      uid: 'u',
      date: '2025-01-01T00:00:00Z',
      counter: 1,
    });
    for (const type of ['text/plain', 'application/json']) {
      const answer = await shared().app.inject({
        method: 'POST',
        url: '/v1/reports/events',
        headers: { 'content-type': type },
        payload,
      });
      expect([type, answer.statusCode, answer.body]).toEqual([type, 204, '']);
    }
  });
});
