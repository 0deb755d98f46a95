import { describe, expect, it } from 'vitest';
import { aBrowser } from '../testing/aBrowser.ts';
import { aServer, sharedServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

const auth = { username: 'ada', password: 'secret-1' };
const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Verb = (typeof verbs)[number];

/** Path spellings that bypassed authentication in other products, whose checks compare the raw path. */
const mutations: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'with the tenant': (path) => path.replace('/api/v1/', '/api/v1/main/'),
  'another tenant': (path) => path.replace('/api/v1/', '/api/v1/configs/'),
  '/configs at the end': (path) => `${path}/configs`,
  '/health at the end': (path) => `${path}/health`,
  '/ready at the end': (path) => `${path}/ready`,
  '/ping at the end': (path) => `${path}/ping`,
  'a parameter': (path) => `${path};x`,
  'a parameter that is open': (path) => `${path};/api/v1/configs`,
  'an open address as query': (path) => `${path}?x=/api/v1/configs`,
  'an encoded slash': (path) => `${path}%2f`,
  'encoded slashes': (path) => path.replace('/v1/', '%2fv1%2f'),
  'a double slash': (path) => path.replace('/v1/', '//v1//'),
  'a slash before': (path) => `/${path}`,
  'a slash behind': (path) => `${path}/`,
  'mixed case': (path) => path.replace('/api/', '/Api/'),
  'a trailing dot': (path) => `${path}.`,
  'dots from outside': (path) => `/ping/..${path}`,
  'encoded dots': (path) => `/x/%2e%2e${path}`,
  'a backslash': (path) => path.replace('/v1/', '\\v1\\'),
};

describe('without credentials', () => {
  const shared = sharedServer(sqlite, { settings: { auth } });
  const ask = (method: Verb, url: string) =>
    shared().app.inject({ method, url, headers: { host: 'localhost' } });
  const openRoutes = new Set([
    '/ping',
    '/health',
    '/ui',
    '/ui/*',
    '/login',
    '/logout',
    '/oauth/access_token',
    '/api/v1/configs',
    '/api/v1/executions/webhook/:namespace/:id/:key',
  ]);
  const closed = () =>
    shared()
      .app.mountedRoutes.list()
      .filter(({ url }) => !openRoutes.has(url));
  const fill = (url: string) => url.replace(/:\w+/g, 'x').replace(/\*$/, 'x');

  it('[A1] the login page is open, and the browser is not made to ask for a password there', async () => {
    const answer = await ask('GET', '/login?from=%2Fflows');
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(answer.statusCode).not.toBe(401);
  });

  it('[A1] every route and verb answers 401 and nothing else', async () => {
    expect(closed().length).toBeGreaterThan(80);
    const answers = await Promise.all(
      closed().flatMap(({ url, methods }) =>
        methods.map(async (method) => {
          const { statusCode, body } = await ask(method as Verb, fill(url));
          return [method, url, statusCode, body];
        }),
      ),
    );
    expect(answers.filter(([, , status, body]) => status !== 401 || body !== '')).toEqual([]);
  });

  it.each(Object.entries(mutations))('[A1] no API path opens when spelled with %s', async (_, mutate) => {
    const paths = [...new Set(closed().map(({ url }) => url))].filter((url) => url.startsWith('/api/'));
    const open: unknown[] = [];
    for (const path of paths) {
      for (const method of verbs) {
        const url = mutate(fill(path));
        const { statusCode, body } = await ask(method, url);
        if (statusCode !== 401 || body !== '') open.push([method, url, statusCode, body.slice(0, 200)]);
      }
    }
    expect(open).toEqual([]);
  });

  it('[A2] nothing less than the password or a session opens a route that changes something', async () => {
    const browser = aBrowser(shared);
    await browser.login(auth.username, auth.password);
    const access = browser.jar.get('millrace-session');
    const refresh = browser.jar.get('millrace-refresh');
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const weak: Record<string, string>[] = [
      { authorization: `Bearer ${access}` },
      { authorization: basic('ada:') },
      { authorization: basic('ada:Secret-1') },
      { authorization: basic('secret-1') },
      { cookie: `millrace-session=${refresh}` },
      { cookie: `millrace-refresh=${refresh}` },
      { cookie: `__Host-millrace-session=${access}` },
      { cookie: `millrace-session=${access}x` },
      { 'x-remote-user': 'ada', 'x-forwarded-user': 'ada' },
    ];
    const changing = closed().flatMap(({ url, methods }) =>
      methods
        .filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
        .map((method) => ({ url, method })),
    );
    expect(changing.length).toBeGreaterThan(60);
    const opened: unknown[] = [];
    for (const [index, { url, method }] of changing.entries()) {
      // Each route meets another one first; all meet all of them over the routes.
      const headers = weak[index % weak.length] ?? {};
      const { statusCode } = await shared().app.inject({
        method: method as Verb,
        url: fill(url),
        headers: { host: 'localhost', ...headers },
      });
      // Guessers are held back after a while, which is no entrance either.
      if (statusCode !== 401 && statusCode !== 429) opened.push([method, url, statusCode, headers]);
    }
    expect(opened).toEqual([]);
    await browser.logout();
    expect(await browser.status()).toBe(401);
  });

  it('[A1] no request for another protocol gets past the door', async () => {
    for (const url of ['/api/v1/executions/x/follow', '/api/v1/logs/x/follow', '/api/v1/flows/search']) {
      for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
        const { statusCode } = await shared().app.inject({
          method: 'GET',
          url,
          headers: {
            host: 'localhost',
            connection: 'Upgrade',
            upgrade: protocol,
            'sec-websocket-version': '13',
          },
        });
        expect([url, protocol, statusCode]).toEqual([url, protocol, 401]);
      }
    }
  });

  it('[A1] dots behind the open prefix of webhooks lead to a webhook that does not exist', async () => {
    const paths = closed().filter(({ url }) => url.startsWith('/api/v1/'));
    const answers = new Set<string>();
    for (const { url } of paths.slice(0, 25)) {
      const { statusCode, body } = await ask(
        'GET',
        `/api/v1/executions/webhook/..%2f..%2f${fill(url).slice(8)}`,
      );
      answers.add(statusCode === 404 ? `404 ${JSON.parse(body).message}` : `${statusCode} ${body}`);
    }
    answers.delete('401 ');
    expect([...answers]).toEqual(['404 Not Found: there is no webhook with this key']);
  });

  it('[A1] only the listed routes are open, each by itself', async () => {
    const answers = await Promise.all(
      [...openRoutes].map(async (url) => [url, (await ask('GET', fill(url))).statusCode] as const),
    );
    expect(answers.filter(([, status]) => status === 401)).toEqual([]);
    expect((await ask('GET', '/api/v1/configs')).statusCode).toBe(200);
    expect((await ask('GET', '/api/v1/configs/x')).statusCode).toBe(401);
  });
});

describe('requests from elsewhere', () => {
  const shared = sharedServer(sqlite);

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=b'],
    ['JSON as text', 'text/plain', '{"username":"eve@example.org","password":"x"}'],
    ['an upload', 'multipart/form-data; boundary=b', '--b--\r\n'],
  ])('[A6] %s of another site changes nothing', async (_, type, payload) => {
    for (const url of ['/api/v1/flows', '/api/v1/executions/a/b', '/api/v1/basicAuth', '/login', '/logout']) {
      for (const headers of [
        { origin: 'http://evil.test' },
        { origin: 'null' },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        const answer = await shared().app.inject({
          method: 'POST',
          url,
          headers: { 'content-type': type, host: 'localhost', ...headers },
          payload,
        });
        expect([url, headers, answer.statusCode]).toEqual([url, headers, 403]);
      }
    }
    expect((await shared().call('GET', '/configs')).body.isBasicAuthEnabled).toBe(false);
  });

  it('[A6] JSON that claims to be text is refused even without an origin', async () => {
    const answer = await shared().call('POST', '/basicAuth', {
      headers: { 'content-type': 'text/plain' },
      payload: '{"username":"eve@example.org","password":"x"}',
    });
    expect(answer.status).toBe(415);
  });

  it('[A7] answers carry no permission for other origins, and no frame may show them', async () => {
    for (const url of ['/api/v1/configs', '/ping', '/api/v1/flows/search']) {
      const { headers } = await shared().app.inject({
        url,
        headers: { origin: 'http://evil.test', host: 'localhost' },
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  });

  it('[A7] a name that points here by rebinding is not ours', async () => {
    const ask = async (host: string, headers = {}) =>
      (await shared().app.inject({ url: '/api/v1/configs', headers: { host, ...headers } })).statusCode;
    expect(await ask('evil.test')).toBe(421);
    expect(await ask('localhost.evil.test:8080')).toBe(421);
    expect(await ask('127.0.0.1.nip.io')).toBe(421);
    expect(await ask('localhost:8080')).toBe(200);
    // [A8] No proxy is trusted, so X-Forwarded-Host is ignored.
    expect(await ask('evil.test', { 'x-forwarded-host': 'localhost' })).toBe(421);
    expect(await ask('localhost', { 'x-forwarded-host': 'evil.test' })).toBe(200);
  });

  it('[A8] only a trusted proxy may say who is asking', async () => {
    const spoofed = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-user': 'ada', 'remote-user': 'ada' };
    const locked = async (settings: object, peer: string) => {
      const server = await aServer(sqlite, { settings: { auth, ...settings } });
      let status = 0;
      // Each guess pretends to come from another address.
      for (let n = 0; n < 8; n++) {
        const answer = await server.app.inject({
          method: 'POST',
          url: '/login',
          remoteAddress: peer,
          headers: { ...spoofed, 'x-forwarded-for': `203.0.113.${n}`, host: 'localhost' },
          payload: { username: 'ada', password: `wrong ${n}` },
        });
        status = answer.statusCode;
      }
      const { statusCode } = await server.app.inject({
        url: '/api/v1/flows/search',
        headers: { ...spoofed, host: 'localhost' },
      });
      return [status, statusCode];
    };
    expect(await locked({}, '127.0.0.1')).toEqual([429, 401]);
    expect(await locked({ server: { trustedProxies: ['10.1.0.0/16'] } }, '10.2.0.1')).toEqual([429, 401]);
    expect(await locked({ server: { trustedProxies: ['10.1.0.0/16'] } }, '10.1.0.1')).toEqual([401, 401]);
  });
});

describe('webhooks', () => {
  const flow = (id: string, key: string) => `id: ${id}
namespace: company.team
tasks:
  - id: hello
    type: core.log.Log
    message: Hello
triggers:
  - id: hook
    type: core.trigger.Webhook
    key: '${key}'
`;
  const aHookServer = async () => {
    const server = await aServer(sqlite, { clock: () => 1_000_000_000_000 });
    await server.saveFlow(flow('long', 'a-long-enough-key'));
    await server.saveFlow(flow('short', 'short-key'));
    await server.saveFlow(flow('broken', '{{ secret("MISSING") }}'));
    const fire = async (id: string, key: string, remoteAddress = '192.0.2.1') => {
      const url = `/api/v1/executions/webhook/company.team/${id}/${key}`;
      return (await server.app.inject({ method: 'POST', url, remoteAddress })).statusCode;
    };
    /** How many of many parallel guesses were judged. */
    const guess = async (id: string, addressOf: (n: number) => string) => {
      const statuses = await Promise.all(
        Array.from({ length: 500 }, (_, n) => fire(id, `guess-${n}`, addressOf(n))),
      );
      expect([...new Set(statuses)].sort()).toEqual([404, 429]);
      return statuses.filter((status) => status === 404).length;
    };
    return { fire, guess };
  };

  it('[A4] parallel guesses of a key are charged before they are judged', async () => {
    const { fire, guess } = await aHookServer();
    expect(await guess('short', () => '192.0.2.1')).toBe(20);
    // A short key could be found by trying, so that the right one has to wait as well.
    expect(await fire('short', 'short-key')).toBe(429);
    // A long key cannot: others who guess from the same address do not stop its caller.
    expect(await fire('long', 'a-long-enough-key')).toBe(200);
  });

  it('[A4] the guesses of one key count over all addresses, and callers known before still pass', async () => {
    const { fire, guess } = await aHookServer();
    expect(await fire('short', 'short-key', '192.0.2.77')).toBe(200);
    expect(await guess('short', (n) => `198.51.${n >> 8}.${n & 255}`)).toBe(20);
    expect(await fire('short', 'short-key', '203.0.113.1')).toBe(429);
    expect(await fire('short', 'short-key', '192.0.2.77')).toBe(200);
  });

  it('[A4] the guesses of one address count over all flows', async () => {
    const { fire } = await aHookServer();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push(await fire(`flow${n}`, 'guess'));
    expect([statuses.indexOf(429), await fire('short', 'short-key')]).toEqual([30, 429]);
  });

  it('many calls at once with the right key are one proof, not many guesses', async () => {
    const { fire } = await aHookServer();
    const statuses = await Promise.all(Array.from({ length: 100 }, () => fire('short', 'short-key')));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('a key that cannot be rendered opens nothing', async () => {
    const { fire } = await aHookServer();
    expect(await fire('broken', 'anything')).toBe(404);
  });
});

describe('a base path', () => {
  it('holds for the API, the pages and the redirects; outside of it there is nothing', async () => {
    const server = await aServer(sqlite, { settings: { server: { basePath: '/orchestrator/' } } });
    const ask = async (url: string) => {
      const { statusCode, headers } = await server.app.inject({ url, headers: { host: 'localhost' } });
      return [statusCode, headers.location];
    };
    expect(await ask('/orchestrator/api/v1/main/flows/search')).toEqual([200, undefined]);
    expect(await ask('/orchestrator/ping')).toEqual([200, undefined]);
    expect(await ask('/orchestrator/ui/flows')).toEqual([301, '/orchestrator/flows']);
    for (const url of ['/api/v1/flows/search', '/ping', '/orchestratorx/ping', '/orchestrator../ping']) {
      expect([url, ...(await ask(url))]).toEqual([url, 404, undefined]);
    }
  });
});
