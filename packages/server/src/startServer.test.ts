import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFullCatalogue } from '@millrace/plugins/testing';
import { temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from './config/load.ts';
import { type RunningServer, startServer } from './startServer.ts';
import { silentLog } from './testing/silentLog.ts';

async function start(
  settings: { server?: Record<string, unknown>; data?: string } = {},
): Promise<RunningServer> {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const server = { port: 0, managementPort: 0, graceMs: 100, ...settings.server };
  const { config } = loadConfig({ env: {}, flags: { data: settings.data ?? folder.path, server } });
  const options = { config, env: {}, catalogue: createFullCatalogue(), log: silentLog, webFolder: '' };
  const running = await startServer(options);
  onTestFinished(() => running.close());
  return running;
}

const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
};

describe('startServer', () => {
  it('opens both doors and closes them', async () => {
    const server = await start();
    expect((await get(`${server.url}/ping`)).text).toBe('pong');
    expect((await get(`${server.managementUrl}/health`)).text).toContain('"status":"UP"');
    await server.close();
    await expect(get(`${server.url}/ping`)).rejects.toThrow();
    await expect(get(`${server.managementUrl}/health`)).rejects.toThrow();
  });

  it('answers those who watch over it (api 9)', async () => {
    const { managementUrl: base } = await start();
    for (const path of ['/health/liveness', '/health/readiness', '/healthz', '/readyz']) {
      expect(await get(base + path)).toMatchObject({ status: 200, text: '{"status":"UP"}' });
    }
    const metrics = await get(`${base}/prometheus`);
    expect(metrics.type).toContain('text/plain');
    expect(metrics.text).toContain('# TYPE kestra_executor_execution_started_count_total counter');
    expect(metrics.text).toContain('millrace_worker_job_running 0');
    for (const path of ['/env', '/', '/__proto__', '/health/../env'])
      expect((await get(base + path)).status).toBe(404);
  });

  it('says that a port is taken, and releases everything', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    await expect(start({ server: { port }, data: folder.path })).rejects.toThrow(
      `The port ${port} is in use by another program; choose another one with --port.`,
    );
    await expect(start({ server: { managementPort: port }, data: folder.path })).rejects.toThrow(
      /--management-port/,
    );
    await start({ data: folder.path });
  });

  it('[A36] refuses a second server on the same folder', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    await start({ data: folder.path });
    await expect(start({ data: folder.path })).rejects.toThrow(/in use by another running server/);
  });

  it('[A3] listens on a public address only with a password, be it configured or saved before', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const open = { host: '0.0.0.0' };
    await expect(start({ data: folder.path, server: open })).rejects.toThrow(
      /^The server would listen on 0\.0\.0\.0 without authentication/,
    );
    await (await start({ data: folder.path, server: { ...open, insecure: true } })).close();
    const own = await start({ data: folder.path });
    const saved = await fetch(`${own.url}/api/v1/basicAuth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada@example.org', password: 'a long one' }),
    });
    expect(saved.status).toBe(204);
    await own.close();
    const server = await start({ data: folder.path, server: open });
    const { port } = new URL(server.url ?? '');
    expect((await get(`http://127.0.0.1:${port}/api/v1/flows/search`)).status).toBe(401);
  });
});
