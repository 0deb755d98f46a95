import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@millrace/contract';
import { copyDatabase, type Lock, lockRemoval, openInspector } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import { version } from '../version.ts';
import { copyFiles, measureFiles, refuseInside } from './copyFiles.ts';
import { noteBackup } from './lastBackup.ts';
import { type Manifest, manifestFile } from './manifest.ts';
import { verifyBackup } from './verifyBackup.ts';

/** The longest time that a server needs to remove one batch of expired data. */
const removalMs = 30_000;

/**
 * Copies a data folder into a new folder while the server runs: first a snapshot of the database, then the
 * files, so that every file that the snapshot references exists. Retention waits until the backup ends. The
 * backup gets its final name only after it is complete and verified.
 */
export async function backUp(options: {
  config: Config;
  target: string;
  now: number;
  /** Called before each file is copied, with the total number of files. */
  onFile?: (path: string, total: number) => void;
}): Promise<Manifest> {
  const { data, database } = options.config;
  if (database.url !== undefined) {
    throw new AppError(
      'illegal-argument',
      'The database is PostgreSQL: back it up with pg_dump, and the folder "storage" of the data folder with any tool for files.',
    );
  }
  const target = resolve(options.target);
  if (existsSync(target)) {
    throw new AppError('illegal-argument', `"${target}" exists; a backup needs a new folder.`);
  }
  if (!existsSync(join(data, 'millrace.db'))) {
    throw new AppError('not-found', `There is no database in "${data}" to back up.`);
  }
  refuseInside(data, target);
  const lock = await waitForRemoval(data);
  const unfinished = join(dirname(target), `.${process.pid}.${options.now}.unfinished`);
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    copyDatabase(data, unfinished);
    const { onFile } = options;
    const total = onFile ? (await measureFiles(data)).files : 0;
    const { files, bytes } = await copyFiles(data, unfinished, (path) => onFile?.(path, total));
    const inspector = await openInspector({ kind: 'sqlite', folder: unfinished });
    const { schema, executions } = await inspector.inspect().finally(() => inspector.close());
    const manifest: Manifest = {
      format: 1,
      version,
      createdAt: new Date(options.now).toISOString(),
      schema,
      executions,
      files,
      fileBytes: bytes,
    };
    await writeFile(join(unfinished, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    await verifyBackup(unfinished);
    await rename(unfinished, target);
    await noteBackup(data, { folder: target, createdAt: manifest.createdAt });
    return manifest;
  } finally {
    lock.unlock();
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Takes the removal lock, which stops retention. Retention holds it only briefly. */
async function waitForRemoval(data: string): Promise<Lock> {
  for (const until = performance.now() + removalMs; ; await wait(50)) {
    const lock = lockRemoval(data);
    if (lock) return lock;
    if (performance.now() > until)
      throw new AppError(
        'illegal-state',
        `Another backup of "${data}" is being made; try again when it is done.`,
      );
  }
}
