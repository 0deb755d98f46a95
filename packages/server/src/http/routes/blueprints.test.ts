import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

type Found = { results: { id: string; title: string; tags: string[] }[]; total: number };

describe.each(databases)('blueprints (api 7.8) on $name', (database) => {
  const shared = sharedServer(database);
  const get = (path: string) => shared().call('GET', `/blueprints${path}`);
  const find = async (path: string) => (await get(path)).body as unknown as Found;

  it('[S2-7o.22] lists flows to start from, page by page', async () => {
    const first = await find('/community/flow?size=2&page=1&sort=title:asc');
    const second = await find('/community/FLOW?size=2&page=2&sort=title:asc');
    expect(first.results).toHaveLength(2);
    expect(first.total).toBeGreaterThan(10);
    const titles = [...first.results, ...second.results].map(({ title }) => title);
    expect(titles).toEqual([...titles].sort((a, b) => a.localeCompare(b, 'en')));
    expect(first.results[0]).toMatchObject({
      includedTasks: expect.any(Array),
      publishedAt: expect.any(String),
    });
    expect(first.results[0]).not.toHaveProperty('source');
  });

  it('[S2-7o.22] finds them by words and tags', async () => {
    const words = await find('/community/flow?q=webhook&size=50');
    expect(words.results.map(({ id }) => id)).toContain('receive-a-webhook');
    const [tag] = words.results[0]?.tags ?? [];
    const tagged = await find(`/community/flow?tags=${tag}&size=50`);
    expect(tagged.results.every(({ tags }) => tags.includes(String(tag)))).toBe(true);
    expect((await get('/community/flow/tags?q=webhook')).body).toContainEqual(
      expect.objectContaining({ id: tag, name: expect.any(String) }),
    );
    expect(await find('/community/flow?q=nothing-has-this-word')).toEqual({ results: [], total: 0 });
  });

  it('[S2-7o.22] shows one with its source and its topology', async () => {
    const { body } = await get('/community/flow/daily-report');
    expect(body).toMatchObject({
      id: 'daily-report',
      kind: 'FLOW',
      source: expect.stringContaining('tasks:'),
    });
    const source = await get('/community/flow/daily-report/source');
    expect(source.headers['content-type']).toContain('application/yaml');
    expect(source.body).toBe(body.source);
    expect((await get('/community/flow/daily-report/graph')).body).toMatchObject({
      nodes: expect.any(Array),
    });
    expect((await get('/community/dashboard/log-errors')).body).toMatchObject({ kind: 'DASHBOARD' });
    expect((await get('/community/dashboard/log-errors/graph')).status).toBe(422);
  });

  it.each([
    ['/community?q=webhook', '/community/flow?q=webhook'],
    ['/tags', '/community/flow/tags'],
    ['/community/tags', '/community/flow/tags'],
    ['/community/daily-report', '/community/flow/daily-report'],
    ['/community/daily-report/flow', '/community/flow/daily-report/source'],
    ['/community/daily-report/graph', '/community/flow/daily-report/graph'],
  ])('[S2-7o.22] answers %s like %s', async (older, current) => {
    const answer = await get(older);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await get(current)).body);
  });

  it('[S2-7o.22] has no apps and no blueprints of users', async () => {
    expect(await find('/community/app')).toEqual({ results: [], total: 0 });
    expect((await get('/community/flow/no-such')).status).toBe(404);
    expect((await get('/community/flow/..%2f..%2fdocs%2findex')).status).toBe(404);
    expect((await get('/custom')).status).toBe(404);
  });
});
