import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@millrace/contract';
import { copyDatabase, type Lock, lockRemoval, openInspector } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import { version } from '../version.ts';
import { copyFiles, measureFiles } from './copyFiles.ts';
import { noteBackup } from './lastBackup.ts';
import { type Manifest, manifestFile } from './manifest.ts';
import { verifyBackup } from './verifyBackup.ts';

/** How long a server may take to remove one piece of what is no longer kept. */
const removalMs = 30_000;

/**
 * Copies a data folder into a new folder while the server goes on: first the database as it is at one moment, then the
 * files, so that every file the copy knows of had been there; what retention would remove meanwhile stays until then. It has its name only once it is whole and was read back.
 */
export async function backUp(options: {
  config: Config;
  target: string;
  now: number;
  /** Told of every file before it is copied, and how many there are. */
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
    throw new AppError('illegal-argument', `"${target}" exists; a backup needs a name of its own.`);
  }
  if (!existsSync(join(data, 'millrace.db'))) {
    throw new AppError('not-found', `There is no database in "${data}" to back up.`);
  }
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

/** From here on retention takes nothing away. It holds the lock for a moment only. */
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
