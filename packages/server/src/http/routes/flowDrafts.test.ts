import { describe, expect, it } from 'vitest';
import { anId, aServer, sharedServer, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const auth = { username: 'ada@example.org', password: 'Correct horse 1' };
const headers = {
  authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`,
};
const source = 'id: nightly\nnamespace: shop\ntasks:\n  - id: a\n    type: core.log.Log\n    message: hi\n';
const path = '/flows/shop/nightly/draft';

describe.each(databases)('drafts of flows on $name', (database) => {
  it('keep a text with errors for its user, also after a restart, until it is deleted', async () => {
    const server = await aServer(database, { settings: { auth } });
    const save = await server.call('POST', '/flows', {
      headers: { ...headers, 'content-type': 'application/x-yaml' },
      payload: source,
    });
    expect(save.status).toBe(200);
    expect((await server.call('GET', path, { headers })).body).toEqual({ isKept: true });
    const half = `${source}  - id:\n`;
    const kept = await server.call('PUT', path, { headers, payload: { source: half, revision: 1 } });
    const draft = { source: half, revision: 1, updated: expect.any(String) };
    expect(kept.body).toEqual({ ...draft, flowRevision: 1 });
    await server.reopen();
    expect((await server.call('GET', path, { headers })).body).toEqual({ isKept: true, draft });
    // Another browser that knows this draft replaces it; one that does not is refused, and the draft stays.
    const put = (text: string, replaces: string) =>
      server.call('PUT', path, { headers, payload: { source: text, revision: 1, replaces } });
    expect((await put(`${half}# other`, '')).status).toBe(409);
    const known = String((await put(half, '')).body.updated);
    expect((await put(`${half}# next`, known)).status).toBe(200);
    expect((await put(`${half}# late`, known)).status).toBe(409);
    // The flow itself is unchanged.
    expect((await server.call('GET', '/flows/shop/nightly', { headers })).body.revision).toBe(1);
    expect((await server.call('DELETE', path, { headers })).status).toBe(204);
    expect((await server.call('GET', path, { headers })).body).toEqual({ isKept: true });
  });

  it('are refused for a flow that does not exist, and without credentials', async () => {
    const server = await aServer(database, { settings: { auth } });
    const missing = await server.call('PUT', '/flows/shop/none/draft', { headers, payload: { source } });
    expect(missing.status).toBe(404);
    expect((await server.call('GET', path)).status).toBe(401);
    const empty = await server.call('PUT', path, { headers, payload: { source: '' } });
    expect(empty.status).toBe(422);
  });
});

describe.each(databases)('draft revisions on $name', (database) => {
  const shared = sharedServer(database);
  const half = (id: string) => source.replaceAll('nightly', id).concat('  - id:\n');

  it('keep a text with errors for everyone without changing the flow, and become a revision when valid', async () => {
    const [server, id] = [shared(), anId()];
    const drafts = `/flows/shop/${id}/drafts`;
    await server.saveFlow(source.replaceAll('nightly', id));
    const saved = await server.call('POST', drafts, {
      payload: { source: half(id), message: 'not yet complete' },
    });
    expect(saved.body).toMatchObject({ revision: 1, message: 'not yet complete', source: half(id) });
    expect(saved.body.problem).toBeTruthy();
    await server.reopen();
    expect((await server.call('GET', drafts)).body).toEqual([saved.body]);
    expect((await server.call('GET', `/flows/shop/${id}/revisions`)).body).toHaveLength(1);
    expect((await server.call('GET', `/flows/shop/${id}`)).body.revision).toBe(1);
    const refused = await server.call('POST', `${drafts}/${saved.body.id}/publish`);
    expect(refused.status).toBe(422);
    const valid = source.replaceAll('nightly', id).replace('hi', 'changed');
    const second = await server.call('POST', drafts, { payload: { source: valid } });
    expect(second.body.problem).toBeUndefined();
    const published = await server.call('POST', `${drafts}/${second.body.id}/publish`);
    expect(published.body).toMatchObject({ revision: 2, source: valid });
    expect((await server.call('GET', drafts)).body).toHaveLength(1);
    const outdated = await server.call('POST', drafts, {
      payload: { source: valid.replace('changed', 'x') },
    });
    await server.call('PUT', `/flows/shop/${id}`, yaml(valid.replace('changed', 'y')));
    expect((await server.call('POST', `${drafts}/${outdated.body.id}/publish`)).status).toBe(409);
    expect((await server.call('DELETE', `${drafts}/${outdated.body.id}`)).status).toBe(204);
    expect((await server.call('DELETE', `${drafts}/${outdated.body.id}`)).status).toBe(404);
    expect((await server.call('POST', '/flows/shop/none/drafts', { payload: { source } })).status).toBe(404);
  });
});

it('drafts of flows are not kept on the server while there is no user', async () => {
  const server = await aServer(databases[0]!);
  await server.saveFlow(source);
  expect((await server.call('GET', path)).body).toEqual({ isKept: false });
  expect((await server.call('PUT', path, { payload: { source } })).status).toBe(409);
});
