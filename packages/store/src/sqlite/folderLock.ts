import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { type Database, openDatabase } from './openDatabase.ts';

export interface Lock {
  unlock(): void;
}

/**
 * Allows one process per data folder. The lock is an exclusive SQLite transaction on a separate file: the
 * operating system releases it however the process ends, so a kill leaves no stale lock.
 */
export function lockFolder(folder: string): Lock {
  mkdirSync(folder, { recursive: true });
  try {
    return lockFile(join(folder, 'lock.db'));
  } catch (cause) {
    throw new AppError(
      'illegal-state',
      `The data folder ${JSON.stringify(folder)} is in use by another running server.`,
      { cause },
    );
  }
}

/**
 * Locked while executions are deleted with their files, and while a backup copies both: otherwise the copied
 * database would refer to files that were deleted before they were copied. Undefined when another process has
 * the lock.
 */
export function lockRemoval(folder: string): Lock | undefined {
  try {
    return lockFile(join(folder, 'lock.db-removal'));
  } catch {
    return undefined;
  }
}

/**
 * A server holds this lock while it runs, so that the next server on this machine knows whether it has ended.
 */
export function lockServer(folder: string, serverId: string): Lock {
  mkdirSync(folder, { recursive: true });
  return lockFile(join(folder, serverId), 1_000);
}

/** Servers that locked their name in this folder and no longer run. */
export function endedServers(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith(journal)) : [];
  return names.filter((name) => {
    try {
      lockFile(join(folder, name)).unlock();
      return true;
    } catch {
      return false;
    }
  });
}

/** Removes the lock file of a server that is known to have ended. */
export function removeServerLock(folder: string, serverId: string): void {
  for (const name of [serverId, `${serverId}${journal}`]) rmSync(join(folder, name), { force: true });
}

const journal = '-journal';

function lockFile(file: string, waitMs = 0): Lock {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  return { unlock: () => release(database) };
}

/** Whether a server is using the folder now. */
export function isFolderLocked(folder: string): boolean {
  if (!existsSync(join(folder, 'lock.db'))) return false;
  try {
    lockFolder(folder).unlock();
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

function release(database: Database): void {
  database.exec('ROLLBACK');
  database.close();
}
