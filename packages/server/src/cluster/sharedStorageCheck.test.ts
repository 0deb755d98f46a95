import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { examine } from '../maintenance/doctor.ts';
import type { TestServer } from '../testing/aServer.ts';
import { severalServers } from '../testing/severalServers.ts';

describe('several servers and where they keep their files', () => {
  const cluster = severalServers();
  const shared = (): string => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    return folder.path;
  };
  /** The warnings of a server from now on. */
  const warnings = ({ product }: TestServer) => {
    const warn = vi.spyOn(product.log, 'warn');
    return () => warn.mock.calls.filter(([message]) => message.includes('keeps its files elsewhere'));
  };
  const doctor = async ({ product }: TestServer) =>
    (await examine({ config: product.config, now: Date.now() })).find(({ check }) => check === 'storage');

  it('a server says so when another one on the same database has its own folder, once, and the doctor too', async () => {
    const first = await cluster.start();
    expect(await doctor(first)).toMatchObject({ status: 'ok', message: expect.stringContaining('or S3') });
    const told = warnings(first);
    const second = await cluster.start();
    await expect.poll(() => told().length).toBe(1);
    expect(told()[0]?.[1]).toMatchObject({ serverId: second.product.membership?.id });
    const found = await doctor(first);
    expect(found?.status).toBe('warning');
    expect(found?.message).toContain(`"${second.product.membership?.id}"`);
    expect(told()).toHaveLength(1);
  });

  it('no server warns when they share it, and a server that leaves removes its file', async () => {
    const path = shared();
    const first = await cluster.startWith({ storage: { path } });
    const told = warnings(first);
    const second = await cluster.startWith({ storage: { path } });
    const marks = () => readdirSync(join(path, '.servers'));
    expect(marks()).toHaveLength(2);
    const look = vi.spyOn(first.product.membership!, 'active', 'get');
    await expect.poll(() => look.mock.results.some(({ value }) => value.length === 2)).toBe(true);
    await expect
      .poll(() => doctor(first))
      .toMatchObject({ status: 'ok', message: expect.stringContaining('2 servers share') });
    await second.close(0);
    expect([marks(), told()]).toEqual([[first.product.membership?.id], []]);
  });
});
