import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockServer } from '@millrace/store';
import { temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId } from '../testing/aServer.ts';
import { severalServers } from '../testing/severalServers.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

describe('a server that restarts before the others give it up', () => {
  const servers = severalServers();

  /** A server was killed a moment ago: its row says that it is alive, and only its lock is gone. */
  async function afterKill() {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const settings = { data: folder.path, cluster: { heartbeatMs: 200, deadAfterMs: 600_000 } };
    const server = await servers.startWith(settings);
    const id = anId();
    await server.saveFlow(aFlow(id, `tasks:\n  - id: wait\n    type: test.Door\n    door: ${id}\n`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const locks = join(folder.path, 'servers');
    const serverId = String(server.product.membership?.id);
    expect(readdirSync(locks)).toContain(serverId);
    await server.close(0);
    await servers.query('UPDATE servers SET gone_at = NULL WHERE id = $1', [serverId]);
    expect(readdirSync(locks)).toEqual([]);
    writeFileSync(join(locks, serverId), '');
    return { id, executionId, settings, locks, serverId };
  }

  it('takes over its own executions at once', async () => {
    const { id, executionId, settings } = await afterKill();
    const server = await servers.startWith(settings);
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
  });

  it('leaves those of a server alone that still runs on the same data folder', async () => {
    const { executionId, settings, locks, serverId } = await afterKill();
    const lock = lockServer(locks, serverId);
    await servers.startWith(settings);
    expect(await servers.ownerOf(executionId)).toBe(serverId);
    lock.unlock();
  });
});
