import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Names the machine, so that logs and rows are readable; unique per process, so that a restart is another server. */
export const serverIdOf = (pid: number, unique: string): string =>
  `${hostname().slice(0, 40)}-${pid}-${unique}`;

/**
 * Removes the task folders of killed processes of this machine. Each server has its own folder; a server that only hangs
 * can continue and needs it.
 */
export async function sweepWorkFolders(allWork: string, aliveIds: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(allWork)) {
    if (!aliveIds.has(name) && !isRunning(name))
      await rm(join(allWork, name), { recursive: true, force: true });
  }
}

function isRunning(serverId: string): boolean {
  const pid = Number(/-(\d+)-[^-]+$/.exec(serverId)?.[1]);
  if (!Number.isInteger(pid) || !serverId.startsWith(`${hostname().slice(0, 40)}-`)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not allowed to ask means that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
