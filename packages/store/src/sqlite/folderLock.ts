import { existsSync, mkdirSync } from 'node:fs';
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

function lockFile(file: string): Lock {
  const database = openDatabase(file);
  try {
    database.exec('PRAGMA busy_timeout = 0');
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
