import { describe, expect, it } from 'vitest';
import { accessMs } from '../../auth/sessions.ts';
import { aBrowser } from '../../testing/aBrowser.ts';
import { aServer } from '../../testing/aServer.ts';
import { databases, sqlite } from '../../testing/databases.ts';

const pair = { username: 'ada@example.org', password: 'Correct horse 1' };
const auth = { username: 'ada', password: 'secret-1' };
const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});
const aClock = () => {
  const time = { now: Date.now() };
  return { time, clock: () => time.now };
};

describe.each(databases)('sessions on $name (api 1.10)', (database) => {
  it('[S2-7o.1] asks for a password once one is saved, at once and after a restart', async () => {
    const server = await aServer(database);
    const [caller, stranger] = [aBrowser(() => server), aBrowser(() => server)];
    expect(await stranger.status()).toBe(200);
    expect((await server.call('GET', '/configs')).body.isBasicAuthEnabled).toBe(false);
    const saved = await caller.send('POST', '/api/v1/basicAuth', { payload: { uid: 'x', ...pair } });
    expect(saved.statusCode).toBe(204);
    // The user who saved the password is signed in; all others must sign in.
    expect([await caller.status(), await stranger.status()]).toEqual([200, 401]);
    await server.reopen();
    expect([await caller.status(), await stranger.status()]).toEqual([200, 401]);
    expect((await server.call('GET', '/configs')).body.isBasicAuthEnabled).toBe(true);
    const byHeader = (headers: Record<string, string>) => server.call('GET', '/flows/search', { headers });
    expect((await byHeader(basic(pair.username, pair.password))).status).toBe(200);
    expect((await byHeader(basic(pair.username, 'wrong'))).status).toBe(401);
    expect((await byHeader({ authorization: 'Bearer anything' })).status).toBe(401);
    // The stored data does not reveal the password.
    const stored = JSON.stringify(await server.product.store.getSetting('auth.credentials'));
    expect(stored).toContain('scrypt');
    expect(stored).not.toContain(pair.password);
    // A second save needs the first password and ends every session.
    const replace = { payload: { username: 'bob@example.org', password: 'Another 2' } };
    expect((await stranger.send('POST', '/api/v1/basicAuth', replace)).statusCode).toBe(401);
    expect((await caller.send('POST', '/api/v1/basicAuth', replace)).statusCode).toBe(204);
    expect((await byHeader(basic(pair.username, pair.password))).status).toBe(401);
    expect(await caller.status()).toBe(200);
  });

  it('[S1-7.10] renews a session with the refresh cookie, and responds with 401 when it has ended', async () => {
    const { time, clock } = aClock();
    const server = await aServer(database, { settings: { auth }, clock });
    const browser = aBrowser(() => server);
    expect(await browser.status()).toBe(401);
    expect((await browser.renew()).statusCode).toBe(401);
    const opened = await browser.login(auth.username, auth.password);
    expect(opened.statusCode).toBe(200);
    expect(opened.json()).toEqual({
      username: 'ada',
      expiresAt: new Date(time.now + accessMs).toISOString(),
      endsAt: new Date(time.now + 30 * 86_400_000).toISOString(),
    });
    expect((await browser.send('GET', '/api/v1/sessions/current')).json()).toEqual(opened.json());
    await server.reopen();
    expect(await browser.status()).toBe(200);
    time.now += accessMs + 1;
    expect(await browser.status()).toBe(401);
    expect((await browser.renew()).statusCode).toBe(200);
    expect(await browser.status()).toBe(200);
    time.now += 8 * 86_400_000;
    expect((await browser.renew()).statusCode).toBe(401);
    expect(browser.jar.size).toBe(0);
  });

  it('[A5] ends a session whose refresh token comes twice, and forgives two tabs at once', async () => {
    const { time, clock } = aClock();
    const server = await aServer(database, { settings: { auth }, clock });
    const browser = aBrowser(() => server);
    await browser.login(auth.username, auth.password);
    const [tab, thief] = [aBrowser(() => server), aBrowser(() => server)];
    for (const other of [tab, thief]) for (const [name, value] of browser.jar) other.jar.set(name, value);
    expect((await browser.renew()).statusCode).toBe(200);
    expect((await tab.renew()).statusCode).toBe(200);
    expect([await browser.status(), await tab.status()]).toEqual([200, 200]);
    time.now += 60_000;
    expect((await thief.renew()).statusCode).toBe(401);
    expect([await browser.status(), await tab.status()]).toEqual([401, 401]);
  });

  it('[S1-7.10] [A5] many calls that renew at once all get a session that works, until a user signs out', async () => {
    const { time, clock } = aClock();
    const server = await aServer(database, { settings: { auth }, clock });
    const browser = aBrowser(() => server);
    await browser.login(auth.username, auth.password);
    const copyOf = (jar: Map<string, string>) => {
      const copy = aBrowser(() => server);
      for (const [name, value] of jar) copy.jar.set(name, value);
      return copy;
    };
    for (let round = 0; round < 3; round++) {
      time.now += accessMs + 1;
      // All calls start with the same cookies: the order of the responses, and lost responses, must not
      // matter.
      const before = new Map(browser.jar);
      const calls = Array.from({ length: 20 }, () => copyOf(before));
      const answers = await Promise.all(calls.map((call) => call.renew()));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
      expect(await Promise.all(calls.map((call) => call.status()))).toEqual(answers.map(() => 200));
      const lost = copyOf(before);
      time.now += 20_000;
      expect((await lost.renew()).statusCode).toBe(200);
      for (const [name, value] of calls[round]?.jar ?? []) browser.jar.set(name, value);
    }
    // Signing out during renewals: whatever the order, no client is signed in afterwards.
    const late = Array.from({ length: 10 }, () => copyOf(browser.jar));
    await Promise.all([...late.map((call) => call.renew()), browser.logout()]);
    expect(new Set(await Promise.all(late.map((call) => call.status())))).toEqual(new Set([401]));
  });

  it('[A5] signing out ends the session here, or everywhere; signing in never takes over a session', async () => {
    const server = await aServer(database, { settings: { auth } });
    const [one, two, three] = [aBrowser(() => server), aBrowser(() => server), aBrowser(() => server)];
    for (const browser of [one, two, three]) await browser.login(auth.username, auth.password);
    const copy = aBrowser(() => server);
    for (const [name, value] of one.jar) copy.jar.set(name, value);
    expect((await one.logout()).statusCode).toBe(204);
    expect([await one.status(), await copy.status(), await two.status()]).toEqual([401, 401, 200]);
    expect((await copy.renew()).statusCode).toBe(401);
    const before = new Map(three.jar);
    await three.login(auth.username, auth.password);
    expect([...three.jar].filter(([name, value]) => before.get(name) === value)).toEqual([]);
    await two.logout('?everywhere=true');
    expect([await two.status(), await three.status()]).toEqual([401, 401]);
    expect((await three.logout()).statusCode).toBe(204);
  });
});

describe('signing in', () => {
  it('[A4] [S1-5.28] says the same about a wrong name and a wrong password, and holds guessers back', async () => {
    const { time, clock } = aClock();
    const server = await aServer(sqlite, { settings: { auth }, clock });
    const browser = aBrowser(() => server);
    const answers = [
      await browser.login(auth.username, 'wrong'),
      await browser.login('nobody', auth.password),
      await browser.login('nobody', 'wrong'),
    ];
    expect(new Set(answers.map((a) => `${a.statusCode} ${a.json().message}`))).toEqual(
      new Set(['401 Unauthorized: Incorrect username or password']),
    );
    await browser.login('nobody', 'wrong');
    // Concurrent guesses are counted individually, through the form and through the header.
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2
          ? browser.login('ada', `guess ${n}`)
          : browser.send('GET', '/api/v1/flows/search', { headers: basic('ada', `guess ${n}`) }),
      ),
    );
    expect(burst.filter((answer) => answer.statusCode === 429)).toHaveLength(19);
    const held = await browser.login(auth.username, auth.password);
    expect([held.statusCode, held.headers['retry-after']]).toEqual([429, '1']);
    expect(held.json().message).toBe('Too Many Requests: too many failed attempts, try again in 1 s');
    time.now += 1_001;
    expect((await browser.login(auth.username, auth.password)).statusCode).toBe(200);
    expect((await browser.login(auth.username, 'wrong')).statusCode).toBe(401);
  });

  it('[S1-5.22] [S1-5.23] [S1-5.26] [S1-5.27] refuses names and passwords that are too long, with the known words', async () => {
    const server = await aServer(sqlite, { settings: { auth } });
    const long = 'x'.repeat(257);
    const answer = await aBrowser(() => server).login(long, long);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('Email must not exceed 256 characters');
    expect(answer.body).toContain('Password must not exceed 256 characters');
    const saved = await server.call('POST', '/basicAuth', {
      headers: basic(auth.username, auth.password),
      payload: { username: 'no address', password: 'x' },
    });
    expect([saved.status, JSON.stringify(saved.body)]).toEqual([
      422,
      expect.stringContaining('must be an e-mail address'),
    ]);
  });

  it('refuses to set a password of fewer than 8 characters', async () => {
    const server = await aServer(sqlite);
    const save = (password: string) =>
      server.call('POST', '/basicAuth', { payload: { username: pair.username, password } });
    const refused = await save('1234567');
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('Password must have at least 8 characters'),
    ]);
    expect((await save('12345678')).status).toBe(204);
  });

  it('[A4] counts the failures of an account over all addresses, without locking its owner out', async () => {
    const { time, clock } = aClock();
    const settings = { auth, server: { trustedProxies: ['127.0.0.1'] } };
    const server = await aServer(sqlite, { settings, clock });
    const login = async (address: string, password: string, username = auth.username) =>
      (
        await server.app.inject({
          method: 'POST',
          url: '/login',
          headers: { 'x-forwarded-for': address },
          payload: { username, password },
        })
      ).statusCode;
    expect(await login('192.0.2.1', auth.password)).toBe(200);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => login(`198.51.100.${n}`, `guess ${n}`)),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(180);
    // An address that guessed is refused even with the right password; the others have one attempt each.
    expect(await login('198.51.100.7', auth.password)).toBe(429);
    expect(await login('198.51.100.7', 'guess', 'grace')).toBe(401);
    expect(await login('203.0.113.1', 'typo')).toBe(429);
    expect(await login('203.0.113.1', auth.password)).toBe(429);
    expect(await login('203.0.113.2', auth.password)).toBe(200);
    // The owner stays signed in where the password was right before, whatever else comes from there.
    for (let n = 0; n < 10; n++) await login('192.0.2.1', `guess ${n}`);
    expect(await login('192.0.2.1', auth.password)).toBe(200);
    // A hold against an account is short, and attempts during it do not make it longer.
    time.now += 60_001;
    expect(await login('203.0.113.1', auth.password)).toBe(200);
  });

  it('[A4] a password that others use is not found from an address that is held', async () => {
    const server = await aServer(sqlite, { settings: { auth }, ...aClock() });
    const login = async (remoteAddress: string, password: string, headers = {}) => {
      const payload = { username: auth.username, password };
      const answer = await server.app.inject({
        method: 'POST',
        url: '/login',
        remoteAddress,
        headers,
        payload,
      });
      return answer.statusCode;
    };
    expect(await login('192.0.2.1', auth.password)).toBe(200);
    const guesses = Array.from({ length: 500 }, (_, n) => (n === 250 ? auth.password : `guess ${n}`));
    const statuses = await Promise.all(guesses.map((guess) => login('198.51.100.1', guess)));
    expect([statuses.filter((status) => status === 401).length, statuses.includes(200)]).toEqual([5, false]);
    // Behind an untrusted proxy all clients have the same address, so they cannot be distinguished.
    const proxied = { 'x-forwarded-for': '203.0.113.9' };
    expect(await login('192.0.2.9', auth.password, proxied)).toBe(200);
    for (let n = 0; n < 5; n++) await login('192.0.2.9', `guess ${n}`, proxied);
    expect(await login('192.0.2.9', auth.password, proxied)).toBe(429);
  });

  it('[A4] tokens that are guessed in parallel are held back, and a session keeps working', async () => {
    const server = await aServer(sqlite, { settings: { auth }, ...aClock() });
    const browser = aBrowser(() => server);
    await browser.login(auth.username, auth.password);
    const guesses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const thief = aBrowser(() => server);
        thief.jar.set('millrace-session', `guess-${n}`);
        return thief.status();
      }),
    );
    expect(guesses.filter((status) => status === 401)).toHaveLength(30);
    expect(guesses.filter((status) => status === 429)).toHaveLength(170);
    expect(await browser.status()).toBe(200);
  });

  it('the configured password wins and cannot be replaced over the API', async () => {
    const server = await aServer(sqlite, { settings: { auth } });
    const saved = await server.call('POST', '/basicAuth', {
      headers: basic(auth.username, auth.password),
      payload: pair,
    });
    expect([saved.status, saved.body.message]).toEqual([
      409,
      'Illegal state: the user name and password come from the configuration',
    ]);
  });

  it('signing in is refused while no login is required', async () => {
    const server = await aServer(sqlite);
    expect((await aBrowser(() => server).login('a', 'b')).statusCode).toBe(409);
    expect((await server.call('GET', '/sessions/current')).body).toEqual({});
  });

  it('[A3] the first password of a server that others reach needs the token from its log', async () => {
    const server = await aServer(sqlite, { settings: { server: { host: '0.0.0.0', insecure: true } } });
    const save = (payload: object) => server.call('POST', '/basicAuth', { payload });
    expect((await save(pair)).status).toBe(401);
    expect((await save({ ...pair, setupToken: 'guess' })).status).toBe(401);
    const setupToken = await server.product.store.getSetting('auth.setupToken');
    expect((await save({ ...pair, setupToken })).status).toBe(204);
    expect(await server.product.store.getSetting('auth.setupToken')).toBeUndefined();
    expect((await save({ ...pair, setupToken })).status).toBe(401);
  });

  it('accepts the pair as a cookie, and asks no browser window of a page that has its own form', async () => {
    const server = await aServer(sqlite, { settings: { auth } });
    const encoded = Buffer.from('ada:secret-1').toString('base64');
    const ask = async (headers: Record<string, string>) => {
      const answer = await server.call('GET', '/flows/search', { headers });
      return [answer.status, answer.body, answer.headers['www-authenticate']];
    };
    expect((await ask({ cookie: `a=b; BASIC_AUTH=${encoded}` }))[0]).toBe(200);
    expect((await ask({ cookie: `BASIC_AUTH=${encodeURIComponent(encoded)}` }))[0]).toBe(200);
    expect(await ask({})).toEqual([401, '', 'Basic realm="Millrace", charset="UTF-8"']);
    expect(await ask({ referer: 'http://localhost:8080/main/login?from=x' })).toEqual([401, '', undefined]);
    expect(await ask({ 'sec-fetch-mode': 'cors' })).toEqual([401, '', undefined]);
  });
});

describe('cookies of a session', () => {
  const setBy = async (settings: object, headers: Record<string, string> = {}, path = '/login') => {
    const server = await aServer(sqlite, { settings: { auth, ...settings } });
    const answer = await aBrowser(() => server, headers).send('POST', path, { payload: auth });
    return [answer.headers['set-cookie']]
      .flat()
      .map((cookie) => String(cookie).replace(/=[\w-]{43};/, '=…;'));
  };

  it('[A5] are for this path only, hidden from scripts and from other sites', async () => {
    expect(await setBy({})).toEqual([
      'millrace-session=…; Path=/; Max-Age=900; HttpOnly; SameSite=Strict',
      'millrace-refresh=…; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict',
    ]);
    expect((await setBy({ server: { basePath: '/orchestrator' } }, {}, '/orchestrator/login'))[0]).toBe(
      'millrace-session=…; Path=/orchestrator; Max-Age=900; HttpOnly; SameSite=Strict',
    );
  });

  it('[A5] [A8] are bound to the host over TLS, which only a trusted proxy can vouch for', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
    expect((await setBy({}, forwarded))[0]).toMatch(/^millrace-session=.*Strict$/);
    expect((await setBy({ server: { trustedProxies: ['10.0.0.0/8'] } }, forwarded))[0]).toMatch(
      /^millrace-session=.*Strict$/,
    );
    expect((await setBy({ server: { trustedProxies: ['127.0.0.0/8'] } }, forwarded))[0]).toBe(
      '__Host-millrace-session=…; Path=/; Max-Age=900; HttpOnly; SameSite=Strict; Secure',
    );
    const https = { url: 'https://flows.example.org' };
    expect((await setBy(https, { host: 'flows.example.org' }))[0]).toMatch(/^__Host-.*Secure$/);
  });
});
