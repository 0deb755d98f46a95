import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '@millrace/contract';
import { lockFolder } from '@millrace/store';
import { noteBackup } from './lastBackup.ts';
import { type Manifest, manifestFile } from './manifest.ts';
import { markRestored } from './restoredMarker.ts';
import { verifyBackup } from './verifyBackup.ts';

export interface Restored {
  readonly manifest: Manifest;
  /** Where everything went that was there before. */
  readonly replaced?: string;
}

/**
 * Restores a data folder from a backup. With `force`, existing data is moved aside inside the folder (which
 * may be a volume that cannot be renamed) and never deleted; a folder in use by a server is always refused.
 * The backup is verified and copied completely before anything is moved.
 */
export async function restore(options: {
  backup: string;
  data: string;
  force: boolean;
  now: number;
  /** Called before each file is copied, with the total number of files. */
  onFile?: (path: string, total: number) => void;
}): Promise<Restored> {
  const [backup, data] = [resolve(options.backup), resolve(options.data)];
  const manifest = await verifyBackup(backup);
  const before = (await readdir(data).catch(() => [])).filter((name) => !isLeftover(name));
  if (before.length > 0 && !options.force) {
    throw new AppError(
      'illegal-state',
      `The data folder "${data}" is not empty; --force puts what is there aside and restores the backup in its place.`,
    );
  }
  const lock = lockFolder(data);
  const fresh = join(data, `restoring-${options.now}`);
  const replaced = join(data, `before-${options.now}`);
  try {
    await cp(backup, fresh, {
      recursive: true,
      filter: async (path) => {
        if (path === join(backup, manifestFile)) return false;
        if ((await stat(path)).isFile()) options.onFile?.(path, manifest.files);
        return true;
      },
    });
    if (before.length > 0) await moveInto(data, before, replaced);
    for (const name of await readdir(fresh)) await rename(join(fresh, name), join(data, name));
    await markRestored(data, options.now);
    await noteBackup(data, { folder: backup, createdAt: manifest.createdAt });
    return { manifest, ...(before.length > 0 ? { replaced } : {}) };
  } finally {
    await rm(fresh, { recursive: true, force: true });
    lock.unlock();
  }
}

/** The lock file stays in place, and so does data that an earlier restore moved aside. */
const isLeftover = (name: string): boolean => /^(lock\.db.*|before-\d+|restoring-\d+)$/.test(name);

async function moveInto(data: string, names: readonly string[], folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const name of names) await rename(join(data, name), join(folder, name));
}
