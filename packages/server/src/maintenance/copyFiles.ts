import { constants, type Dirent, existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AppError } from '@millrace/contract';

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/** Parts of a data folder that a copy must not have: the database (copied in its own way), the lock, folders of running tasks. */
const leftOut =
  /^(millrace\.db.*|lock\.db.*|work|(backup|restored|last-backup)\.json|before-\d+|restoring-\d+)$/;

/** Refuses a copy into the folder that is copied: it would contain itself without end. */
export function refuseInside(folder: string, target: string): void {
  let existing = resolve(target);
  while (!existsSync(existing)) existing = dirname(existing);
  const way = relative(realpathSync(folder), realpathSync(existing));
  if (way.split(/[/\\]/)[0] === '..' || isAbsolute(way)) return;
  throw new AppError('illegal-argument', `"${target}" is inside "${folder}"; choose a folder outside of it.`);
}

/** Copies everything except the database. Files deleted meanwhile and partial files are skipped. */
export async function copyFiles(
  from: string,
  to: string,
  onFile: (path: string) => void = () => {},
): Promise<Copied> {
  let [files, bytes] = [0, 0];
  for (const entry of await entriesOf(from)) {
    if (leftOut.test(entry.name)) continue;
    const copied = await copyEntry(join(from, entry.name), join(to, entry.name), entry.isDirectory(), onFile);
    files += copied.files;
    bytes += copied.bytes;
  }
  return { files, bytes };
}

async function copyEntry(
  from: string,
  to: string,
  isFolder: boolean,
  onFile: (path: string) => void,
): Promise<Copied> {
  if (!isFolder) {
    onFile(from);
    return copyOne(from, to);
  }
  await mkdir(to, { recursive: true });
  let [files, bytes] = [0, 0];
  for (const entry of await entriesOf(from)) {
    const copied = await copyEntry(join(from, entry.name), join(to, entry.name), entry.isDirectory(), onFile);
    files += copied.files;
    bytes += copied.bytes;
  }
  return { files, bytes };
}

async function copyOne(from: string, to: string): Promise<Copied> {
  if (from.endsWith('.tmp')) return { files: 0, bytes: 0 };
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return { files: 1, bytes: (await stat(to)).size };
  } catch (error) {
    if (isMissing(error)) return { files: 0, bytes: 0 };
    throw error;
  }
}

/** None when the folder was deleted meanwhile. One that cannot be read fails the copy: a backup must not lack it silently. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The number and size of files in a folder, counted like `copyFiles`. */
export async function measureFiles(folder: string): Promise<Copied> {
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const top = entry.parentPath === folder ? entry.name : '';
    if (!entry.isFile() || (top !== '' && leftOut.test(top))) continue;
    files += 1;
    bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return { files, bytes };
}
