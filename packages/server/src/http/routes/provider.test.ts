import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readContent } from '../../content/readContent.ts';
import { sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { silentLog } from '../../testing/silentLog.ts';
import { rewriteOlderPath } from '../olderPaths.ts';
import { sendProblem } from '../problem.ts';
import { mountProvider } from './provider.ts';

describe.each(databases)('what the product shows but does not compute (api 8) on $name', (database) => {
  const shared = sharedServer(database, { settings: { provider: { url: 'https://docs.example.org' } } });
  const get = (url: string) => shared().app.inject({ method: 'GET', url });

  it('[S2-7p.1] tells the news, newest first', async () => {
    const { feeds, version } = (await get('/v1/feeds?iid=a&uid=b&version=c')).json();
    expect(version).toEqual({});
    const dates = feeds.map(({ publicationDate }: { publicationDate: string }) => publicationDate);
    expect(dates.length).toBeGreaterThan(1);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(feeds[0]).toMatchObject({ id: expect.any(String), title: expect.any(String) });
  });

  it('[S2-7p.2] [S2-7p.3] collects nothing', async () => {
    expect((await get('/v1/config')).json()).toEqual({ id: shared().product.instanceId });
    const report = await shared().app.inject({
      method: 'POST',
      url: '/v1/reports/events',
      payload: { type: 'PAGE', iid: 'a', uid: 'b', date: 'c', counter: 1 },
    });
    expect([report.statusCode, report.body]).toEqual([204, '']);
  });

  it('[S2-7p.5] has icons', async () => {
    expect((await get('/v1/plugins/icons')).json()).toHaveProperty(['core.log.Log']);
  });

  it('[S2-7p.6] shows pages with what is known about them', async () => {
    for (const path of ['build/inputs', 'build%2Finputs', '/build/inputs']) {
      const page = await get(`/v1/docs/${path}/versions/latest`);
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toContain('text/markdown');
      expect(JSON.parse(String(page.headers['x-kestra-metadata']))).toMatchObject({ title: 'Inputs' });
      expect(page.body).toContain('inputs:');
    }
    expect((await get('/v1/docs/versions/latest')).statusCode).toBe(200);
    expect((await get('/v1/docs/versions/latest/doc/dashboards')).body).toContain('dashboard');
  });

  it('[S1-7.11] [S1-2.4.20] [S1-2.4.21] offers its logos and descriptions of the API', async () => {
    const file = (name: string) => get(`/v1/resources/${name}/versions/0.1.0`);
    const logo = await file('mark.svg');
    expect(logo.headers['content-type']).toContain('image/svg+xml');
    expect(logo.headers['content-security-policy']).toContain("default-src 'none'");
    const pack = await file('millrace-logos.zip');
    expect(pack.rawPayload.subarray(0, 2).toString()).toBe('PK');
    expect(Object.keys((await file('oss.json')).json().paths)).toContain('/api/v1/flows/search');
    expect(Object.keys((await file('enterprise.json')).json().paths)).toContain(
      '/api/v1/{tenant}/flows/search',
    );
    expect((await file('..%2F..%2Fpackage.json')).statusCode).toBe(404);
  });

  it('[S2-7p.6] sends files beside the pages as they are, and no page runs them', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    mkdirSync(join(folder.path, 'docs', 'build'), { recursive: true });
    writeFileSync(join(folder.path, 'docs', 'build', 'dot.png'), Buffer.from([0x89, 0x50, 0xff, 0x00]));
    writeFileSync(join(folder.path, 'docs', 'build', 'page.html'), '<script>');
    writeFileSync(join(folder.path, 'secret.txt'), 'outside');
    const app = fastify({ rewriteUrl: ({ url = '' }) => rewriteOlderPath(url) });
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, silentLog));
    mountProvider(app, { ...shared().product, content: readContent(folder.path) });
    const ask = (path: string) => app.inject(`/v1/docs/${path}/versions/latest`);
    const picture = await ask('build/dot.png');
    expect([picture.statusCode, ...picture.rawPayload]).toEqual([200, 0x89, 0x50, 0xff, 0x00]);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    for (const path of ['build/page.html', '..%2Fsecret.txt', 'build/..%2F..%2Fsecret.txt'])
      await expect(ask(path)).resolves.toMatchObject({ statusCode: 404 });
    await app.close();
  });

  it('lets the web app ask the host that is configured for news and documentation', async () => {
    const policy = String((await get('/login')).headers['content-security-policy']);
    expect(policy).toContain("connect-src 'self' https://docs.example.org;");
    expect(policy).toContain("img-src 'self' data: blob: https://docs.example.org;");
    expect(policy).toContain("script-src 'self';");
  });

  it('[S2-7p.6] knows the tree of pages and searches them', async () => {
    const all = (await get('/v1/docs/versions/latest/children')).json();
    expect(all['build/inputs']).toMatchObject({ title: 'Inputs', description: expect.any(String) });
    const below = (await get('/v1/docs/build/triggers/versions/latest/children')).json();
    expect(Object.keys(below)).toContain('build/triggers/schedule');
    const hits = (await get('/v1/docs/versions/latest/search?q=cron%20expression')).json();
    expect(hits[0]).toMatchObject({ parsedUrl: expect.any(String), title: expect.any(String) });
    expect((await get('/v1/docs/versions/latest/search')).json()).toEqual([]);
  });

  it('[A21] answers 404 for pages that are not there, also outside of the content', async () => {
    for (const path of [
      'no/such',
      '..%2f..%2fpackage.json',
      '../../etc/passwd',
      '%2e%2e/%2e%2e/package.json',
    ]) {
      const { statusCode } = await get(`/v1/docs/${path}/versions/latest`);
      expect([path, statusCode]).toEqual([path, 404]);
    }
    expect((await get('/v1/docs/versions/latest/doc/no-such')).statusCode).toBe(404);
    expect((await get('/v1/nothing')).statusCode).toBe(404);
  });

  it('[S2-7o.1] tells the web app which host to ask instead', async () => {
    expect((await shared().call('GET', '/configs')).body.providerUrl).toBe('https://docs.example.org');
  });
});
