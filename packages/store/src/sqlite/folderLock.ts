import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { type Database, openDatabase } from './openDatabase.ts';

export interface Lock {
  unlock(): void;
}

/**
 * One process per data folder. The lock is an exclusive SQLite transaction on a file of its own: the operating system
 * gives it back when the process ends in whatever way, so there is nothing stale to clean up after a kill.
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
 * Held while executions are removed with their files, and while both are copied: otherwise a copy would know of files
 * that were gone before it came to them. Undefined when somebody else has it.
 */
export function lockRemoval(folder: string): Lock | undefined {
  try {
    return lockFile(join(folder, 'lock.db-removal'));
  } catch {
    return undefined;
  }
}

/** Held by a server while it runs, so that the next one on this machine knows whether the one before has ended. */
export function lockServer(folder: string, serverId: string): Lock {
  mkdirSync(folder, { recursive: true });
  return lockFile(join(folder, serverId), 1_000);
}

/** Servers that have locked their name in this folder and do not run any more. */
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

/** For a server that has ended and is known to have. */
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

/** Whether a server is at work on the folder at this moment. */
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
