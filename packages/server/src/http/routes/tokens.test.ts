import { describe, expect, it } from 'vitest';
import { aBrowser } from '../../testing/aBrowser.ts';
import { aFlow } from '../../testing/aFlow.ts';
import { aServer, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const auth = { username: 'ada', password: 'secret-1' };
const dayMs = 86_400_000;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe.each(databases)('API tokens on $name', (database) => {
  it('O-1.1 sign in until they expire or are revoked, and are recorded as the actor', async () => {
    const time = { now: Date.now() };
    const server = await aServer(database, { settings: { auth }, clock: () => time.now });
    const browser = aBrowser(() => server);
    await browser.login(auth.username, auth.password);
    const create = async (payload: object) => browser.send('POST', '/api/v1/me/api-tokens', { payload });
    const list = async () => (await browser.send('GET', '/api/v1/me/api-tokens')).json().results;
    const expiresAt = new Date(time.now + 20 * dayMs).toISOString();
    const created = (await create({ name: 'ci', expiresAt })).json();
    expect(created).toMatchObject({ name: 'ci', expiresAt });
    const endless = (await create({ name: 'endless' })).json();

    // Only the response to the creation contains the token, and the database holds no part of its secret.
    expect(await list()).toEqual([
      expect.objectContaining({ id: endless.id, name: 'endless' }),
      expect.objectContaining({ id: created.id, name: 'ci', expiresAt }),
    ]);
    const stored = await server.product.store.listDocuments({ kind: 'auth.token', limit: 10 });
    for (const text of [JSON.stringify(stored), JSON.stringify(await list())])
      expect(text).not.toContain(created.token.split('_').slice(2).join('_'));
    expect((await create({ name: 'ci' })).json().message).toContain('already a token with the name "ci"');
    expect((await create({ name: 'late', expiresAt: '2020-01-01T00:00:00Z' })).statusCode).toBe(422);

    await server.reopen();
    const signed = bearer(created.token);
    const flow = yaml(aFlow('signed'));
    const saving = { ...flow, headers: { ...flow.headers, ...signed.headers } };
    expect((await server.call('POST', '/flows', saving)).status).toBe(200);
    const started = await server.call('POST', '/executions/company.team/signed', signed);
    expect(started.status).toBe(200);
    const events = await server.call('GET', `/executions/${started.body.id}/events`, signed);
    expect((events.body.results as { actor: unknown }[])[0]?.actor).toEqual({
      type: 'user',
      id: 'ada',
      via: 'api',
      token: 'ci',
    });
    expect((await list())[1].lastUsedAt).toBeTruthy();

    // A token manages neither tokens nor the password.
    const refused = await server.call('POST', '/me/api-tokens', { ...signed, payload: { name: 'more' } });
    expect(refused.status).toBe(409);
    expect((await server.call('DELETE', `/me/api-tokens/${endless.id}`, signed)).status).toBe(409);

    // It is in the inbox before and after its end.
    const expiring = async () => {
      const { body } = await server.call('GET', '/inbox', bearer(endless.token));
      return (body.items as { kind: string; name: string }[]).filter(({ kind }) => kind === 'token');
    };
    expect(await expiring()).toEqual([]);
    time.now += 10 * dayMs;
    expect(await expiring()).toEqual([expect.objectContaining({ name: 'ci', expiresAt })]);
    time.now += 11 * dayMs;
    expect((await server.call('GET', '/flows/search', signed)).status).toBe(401);
    expect(await expiring()).toEqual([expect.objectContaining({ at: expiresAt })]);

    await browser.login(auth.username, auth.password);
    expect((await browser.send('DELETE', `/api/v1/me/api-tokens/${endless.id}`)).statusCode).toBe(204);
    expect((await server.call('GET', '/flows/search', bearer(endless.token))).status).toBe(401);
    const wrong = `${created.token.slice(0, -1)}${created.token.endsWith('A') ? 'B' : 'A'}`;
    expect((await server.call('GET', '/flows/search', bearer(wrong))).status).toBe(401);
  });

  it('the date of a secret can be noted and appears in the inbox', async () => {
    const server = await aServer(database, { env: { SECRET_DB: 'aGlkZGVu' } });
    const note = (key: string, expirationDate: string | null) =>
      server.call('PUT', `/namespaces/company.team/secrets/${key}/expiration`, {
        payload: { expirationDate },
      });
    const expirationDate = new Date(Date.now() + 3 * dayMs).toISOString();
    expect((await note('DB', expirationDate)).body).toEqual({ key: 'DB', expirationDate });
    expect((await note('OTHER', expirationDate)).status).toBe(404);
    await server.reopen();
    const { body } = await server.call('GET', '/namespaces/company.team/secrets');
    expect(body.results).toEqual([{ key: 'DB', expirationDate }]);
    const items = async () => (await server.call('GET', '/inbox')).body.items;
    expect(await items()).toEqual([
      expect.objectContaining({ kind: 'secret', name: 'DB', expiresAt: expirationDate }),
    ]);
    expect((await note('DB', null)).body).toEqual({ key: 'DB' });
    expect(await items()).toEqual([]);
  });
});
