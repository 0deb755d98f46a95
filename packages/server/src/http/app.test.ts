import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, endpoint } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../testing/silentLog.ts';
import { type AppOptions, createApp } from './app.ts';
import { mount } from './mount.ts';
import { loopbackNames } from './security.ts';
import { openWebApp } from './web.ts';

const echoJson = endpoint({
  method: 'POST',
  path: '/flows/json',
  summary: '',
  body: z.object({ a: z.number() }),
  reply: z.unknown(),
});
const echoYaml = endpoint({
  method: 'POST',
  path: '/flows/yaml',
  summary: '',
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.unknown(),
});
const form = endpoint({
  method: 'POST',
  path: '/flows/form',
  summary: '',
  bodyKind: 'multipart',
  reply: z.unknown(),
});
const read = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}',
  summary: '',
  params: z.object({ namespace: z.string(), id: z.string() }),
  query: z.looseObject({ page: z.coerce.number().int().min(1).default(1) }),
  reply: z.unknown(),
});
const fails = endpoint({
  method: 'GET',
  path: '/logs/{id}',
  summary: '',
  params: z.object({ id: z.string() }),
});

async function anApp(options: Partial<AppOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<html>app</html>');
  writeFileSync(join(folder, 'assets/a-1.js'), 'plain');
  writeFileSync(join(folder, 'assets/a-1.js.br'), 'small');
  const app = createApp({
    log: silentLog,
    security: { allowedHosts: loopbackNames('127.0.0.1', []), publicOrigin: undefined },
    auth: undefined,
    requests: { log: silentLog, isWanted: false, tracing: undefined },
    isHealthy: async () => true,
    cookies: { basePath: '', isSecure: () => false },
    trustedProxies: [],
    web: openWebApp(folder),
    ...options,
  });
  mount(app, echoJson, ({ body }) => ({ body }));
  mount(app, echoYaml, ({ body }) => ({ body }));
  mount(app, form, async ({ readForm }) =>
    readForm(async ({ field, fileName, content }) => {
      let sizeBytes = 0;
      for await (const chunk of content) sizeBytes += chunk.length;
      return field === 'unwanted' ? undefined : { id: field, uri: `${fileName} ${sizeBytes}` };
    }),
  );
  mount(app, read, ({ params, query }) => ({ ...params, ...query }));
  mount(app, fails, ({ params }) => {
    if (params.id === 'bug') throw new Error('secret detail');
    throw new AppError('not-found', `no execution "${params.id}"`);
  });
  return app;
}

const json = { 'content-type': 'application/json' };

describe('the HTTP kernel', () => {
  it('responds to HEAD as to GET, without the body', async () => {
    const app = await anApp();
    // Over a connection, because Node leaves out the body.
    const root = await app.listen({ port: 0, host: '127.0.0.1' });
    for (const path of ['/api/v1/flows/a/b', '/api/v1/nothing', '/assets/a-1.js', '/']) {
      const [get, head] = [await fetch(root + path), await fetch(root + path, { method: 'HEAD' })];
      expect([path, head.status, head.headers.get('content-type')]).toEqual([
        path,
        get.status,
        get.headers.get('content-type'),
      ]);
      expect([(await head.text()).length, (await get.text()).length > 0]).toEqual([0, true]);
    }
    const refused = await app.inject({ method: 'PUT', url: '/api/v1/flows/a/b' });
    expect(refused.headers.allow).toBe('GET, HEAD');
    await app.close();
  });

  it('serves every path with and without the tenant (api 1.1)', async () => {
    const app = await anApp();
    for (const root of ['/api/v1', '/api/v1/main']) {
      const answer = await app.inject(`${root}/flows/company.team/a.b`);
      expect(answer.json()).toEqual({ namespace: 'company.team', id: 'a.b', page: 1 });
    }
    expect((await app.inject('/api/v1/other/flows/a/b')).statusCode).toBe(404);
    expect((await app.inject('/api/v1/main/main/flows/a/b')).statusCode).toBe(404);
  });

  it('answers errors in one shape (api 1.7)', async () => {
    const app = await anApp();
    const missing = await app.inject('/api/v1/main/logs/x');
    expect(missing.statusCode).toBe(404);
    expect(missing.json()).toEqual({
      message: 'Not Found: no execution "x"',
      code: 'not-found',
      _links: { self: [{ href: '/api/v1/main/logs/x', templated: false }] },
    });
    const invalid = await app.inject('/api/v1/flows/a/b?page=0');
    expect(invalid.statusCode).toBe(422);
    expect(invalid.json()).toMatchObject({ _embedded: { errors: [{ path: 'page' }] } });
  });

  it('writes a line for every request when told to, under the id that its answer carries', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, info: (_: string, fields?: object) => void lines.push(fields) };
    const app = await anApp({ requests: { log, isWanted: true, tracing: undefined } });
    const ask = async (id: string) => {
      const { headers } = await app.inject({
        url: '/api/v1/logs/s3cret?q=s3cret',
        headers: { 'x-request-id': id },
      });
      return headers['x-request-id'];
    };
    expect(await ask('from-a-proxy:1')).toBe('from-a-proxy:1');
    const own = await ask('no id\tat all');
    expect(own).toMatch(/^\w+$/);
    const line = { method: 'GET', route: expect.stringMatching(/^\/api\/v1\/logs\/:/), status: 404 };
    expect(lines).toMatchObject([
      { ...line, requestId: 'from-a-proxy:1' },
      { ...line, requestId: own },
    ]);
    expect(JSON.stringify(lines)).not.toContain('s3cret');
  });

  it('[A47] tells nothing about a bug', async () => {
    const answer = await (await anApp()).inject('/api/v1/logs/bug');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret detail');
  });

  it('tells a wrong method from a wrong address', async () => {
    const app = await anApp();
    const wrong = await app.inject({ method: 'DELETE', url: '/api/v1/flows/a/b' });
    expect(wrong.statusCode).toBe(405);
    expect(wrong.headers.allow).toContain('GET');
    expect((await app.inject('/api/v1/nothing')).json()).toMatchObject({
      message: expect.stringMatching(/^Not Found/),
    });
  });

  it.each([
    [
      'json body on a multipart route',
      '/api/v1/flows/form',
      'application/json',
      '{"files":{"a":"/etc/passwd"}}',
      415,
    ],
    ['multipart on a json route', '/api/v1/flows/json', 'multipart/form-data; boundary=x', '--x--', 415],
    ['a form on a yaml route', '/api/v1/flows/yaml', 'application/x-www-form-urlencoded', 'a=b', 415],
    ['text on a json route', '/api/v1/flows/json', 'text/plain', '{"a":1}', 415],
    ['broken json', '/api/v1/flows/json', 'application/json', '{"a":', 422],
    ['a wrong type', '/api/v1/flows/json', 'application/json', '{"a":"x"}', 422],
    ['deep json', '/api/v1/flows/json', 'application/json', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 422],
    [
      'bytes that are no text',
      '/api/v1/flows/yaml',
      'application/x-yaml',
      Buffer.from([0xff, 0xfe, 0x00]),
      422,
    ],
    ['too much text', '/api/v1/flows/yaml', 'application/x-yaml', 'a'.repeat(10 * 1_048_576 + 1), 413],
    ['multipart without a boundary', '/api/v1/flows/form', 'multipart/form-data', 'x', 400],
  ])('[A16] refuses %s', async (_name, url, type, payload, status) => {
    const answer = await (await anApp()).inject({
      method: 'POST',
      url,
      headers: { 'content-type': type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toHaveProperty('message');
  });

  it('reads bodies by the route: raw yaml, checked json without prototype keys', async () => {
    const app = await anApp();
    const yaml = await app.inject({
      method: 'POST',
      url: '/api/v1/flows/yaml',
      headers: { 'content-type': 'application/x-yaml' },
      payload: 'id: ü\n',
    });
    expect(yaml.json()).toEqual({ body: 'id: ü\n' });
    const body = await app.inject({
      method: 'POST',
      url: '/api/v1/flows/json',
      headers: json,
      payload: '{"a":1,"__proto__":{"x":1}}',
    });
    expect(body.json()).toEqual({ body: { a: 1 } });
  });

  it.each([
    ['no body at all', {}, ''],
    ['an empty multipart body', { 'content-type': 'multipart/form-data; boundary=x' }, ''],
    ['an empty json body', { 'content-type': 'application/json' }, ''],
  ])('takes %s for an empty form', async (_name, headers, payload) => {
    const answer = await (await anApp()).inject({
      method: 'POST',
      url: '/api/v1/flows/form',
      headers,
      payload,
    });
    expect(answer.json()).toEqual({ fields: {} });
  });

  it('reads form fields and gives files out as they arrive', async () => {
    const part = (head: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
    const payload = `${part('name="region"', 'eu')}${part('name="files"; filename="invoice"', 'b')}${part(
      'name="other"; filename="march.csv"',
      'b',
    )}--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await (await anApp()).inject({
      method: 'POST',
      url: '/api/v1/flows/form',
      headers,
      payload,
    });
    expect(answer.json()).toEqual({ fields: { region: 'eu', files: 'invoice 1', other: 'march.csv 1' } });
  });

  it('[A15] refuses a form with too many parts', async () => {
    const payload = `${Array.from({ length: 2_000 }, (_, i) => `--x\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\nv\r\n`).join('')}--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await (await anApp()).inject({
      method: 'POST',
      url: '/api/v1/flows/form',
      headers,
      payload,
    });
    expect(answer.statusCode).toBe(413);
  });

  it('[A7] refuses names that do not belong to a loopback server', async () => {
    const app = await anApp();
    expect((await app.inject({ url: '/ping', headers: { host: 'evil.test:8080' } })).statusCode).toBe(421);
    expect((await app.inject({ url: '/ping', headers: { host: 'localhost:9000' } })).body).toBe('pong');
    expect((await app.inject({ url: '/ping', headers: { host: '[::1]:9000' } })).body).toBe('pong');
  });

  it.each([
    [{ origin: 'http://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'http://localhost:80', host: 'localhost:80' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ])('[A6] answers a change from %j with %i', async (headers, status) => {
    const answer = await (await anApp()).inject({
      method: 'POST',
      url: '/api/v1/flows/json',
      headers: { ...json, ...headers },
      payload: '{"a":1}',
    });
    expect(answer.statusCode).toBe(status);
  });

  it('guards answers with headers', async () => {
    const { headers } = await (await anApp()).inject('/');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('serves the web app: hashed assets with an endless cache, views from one page', async () => {
    const app = await anApp();
    const asset = await app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect(asset.body).toBe('small');
    expect(asset.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await app.inject('/assets/a-1.js')).body).toBe('plain');
    for (const url of ['/', '/flows', '/main/executions/company.team/x.y/abc', '/flows?q=1']) {
      const page = await app.inject(url);
      expect(page.body).toBe('<html>app</html>');
      expect(page.headers['cache-control']).toBe('no-cache');
    }
    const again = await app.inject({
      url: '/',
      headers: { 'if-none-match': String((await app.inject('/')).headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    for (const url of [
      '/assets/missing.js',
      '/../../etc/passwd',
      '/assets/..%2f..%2fetc%2fpasswd',
      '/api/v1/x',
    ]) {
      expect((await app.inject(url)).body).not.toContain('root:');
    }
    expect((await app.inject('/assets/missing.js')).statusCode).toBe(404);
  });

  it('responds 404 for a file that a new build of the web app has removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'web-'));
    mkdirSync(join(folder, 'assets'));
    const files = { 'small-1.js': 'x', 'large-1.js': 'x'.repeat(2 * 1024 * 1024), 'packed-1.js': 'x' };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'assets', name), content);
    writeFileSync(join(folder, 'assets/packed-1.js.br'), 'x');
    const app = await anApp({ web: openWebApp(folder) });
    expect((await app.inject('/assets/small-1.js')).statusCode).toBe(200);
    rmSync(join(folder, 'assets'), { recursive: true });
    const read = (name: string) =>
      app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': 'br' } });
    // What was sent once is in memory, so that open tabs keep working.
    expect((await read('small-1.js')).body).toBe('x');
    expect((await read('large-1.js')).statusCode).toBe(404);
    expect((await read('packed-1.js')).statusCode).toBe(404);
  });

  it('names in the page what its address will need, in the language of the visitor', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'web-'));
    writeFileSync(join(folder, 'index.html'), '<html><head></head>app</html>');
    const pages = [{ path: '^(?:/(?<tenant>[\\w-]+))?/flows/?$', files: ['assets/f.js', 'assets/f.css'] }];
    const texts = { en: 'assets/en.js', zh_CN: 'assets/zh.js' };
    const requests = [
      { path: '^(?:/(?<tenant>[\\w-]+))?/runs/(?<id>\\w+)$', request: '/runs/{id}?all=true' },
    ];
    writeFileSync(join(folder, 'pages.json'), JSON.stringify({ pages, requests, texts }));
    const app = await anApp({ web: openWebApp(folder, '/base') });
    const linksOf = async (url: string, language = '') => {
      const { body, headers } = await app.inject({ url, headers: { 'accept-language': language } });
      const links = [...body.matchAll(/rel="(\w+)".* href="([^"]*)"/g)].map(
        ([, rel, href]) => `${rel} ${href}`,
      );
      return { links, headers };
    };
    const flows = await linksOf('/main/flows?q=1', 'xx, zh-TW;q=0.8, en;q=0.5');
    expect(flows.links).toEqual([
      'preload /base/api/v1/main/configs',
      'modulepreload /base/assets/zh.js',
      'modulepreload /base/assets/f.js',
      'stylesheet /base/assets/f.css',
    ]);
    expect(flows.headers.vary).toContain('accept-language');
    expect((await linksOf('/runs/42')).links).toContain('preload /base/api/v1/runs/42?all=true');
    const other = await linksOf('/elsewhere/"><script>');
    expect(other.links).toEqual(['preload /base/api/v1/configs', 'modulepreload /base/assets/en.js']);
    expect(other.headers.etag).not.toBe(flows.headers.etag);
  });

  it('redirects old links to the same path at the root', async () => {
    const app = await anApp();
    expect((await app.inject('/ui/main/flows?x=1')).headers.location).toBe('/main/flows?x=1');
    expect((await app.inject('/ui//evil.test')).headers.location).toBe('/evil.test');
    expect((await app.inject('/ui/\\evil.test')).headers.location).not.toMatch(/^[/\\]{2}/);
  });
});
