import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessUser } from '@millrace/plugin-scripts';
import { StartError } from './startError.ts';

/** The user that `tasks.user` names. Only root can start processes as another user. */
export async function findTaskUser(name: string): Promise<ProcessUser> {
  if (process.getuid?.() !== 0) {
    throw new StartError(
      `tasks.user is "${name}", but only a server that runs as root can start tasks as another user.`,
    );
  }
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = accounts.find(([login, , uid]) => login === name || uid === name);
  const [, , uid = name, gid = uid, , home = '/'] = found ?? [];
  if (!/^\d+$/.test(uid) || !/^\d+$/.test(gid)) {
    throw new StartError(`tasks.user is "${name}", but there is no such user on this machine.`);
  }
  if (Number(uid) === 0) throw new StartError(`tasks.user is "${name}", which is root. Name another user.`);
  return { uid: Number(uid), gid: Number(gid), home };
}

/** Lets that user pass to the working folders, and closes everything else in the data folder, now and later. */
export async function closeDataFolder(data: string, workFolders: readonly string[]): Promise<void> {
  process.umask(0o077);
  const open = new Set(workFolders);
  for (const name of await readdir(data)) {
    const path = join(data, name);
    if (open.has(path)) continue;
    const { mode } = await stat(path);
    await chmod(path, mode & 0o700);
  }
  for (const folder of [data, ...workFolders]) await chmod(folder, 0o711);
}
