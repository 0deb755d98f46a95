import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { type Database, openDatabase } from './openDatabase.ts';

/**
 * One process per data folder. The lock is an exclusive SQLite transaction on a file of its own: the operating system
 * gives it back when the process ends in whatever way, so there is nothing stale to clean up after a kill.
 */
export function lockFolder(folder: string): { unlock(): void } {
  mkdirSync(folder, { recursive: true });
  const database = openDatabase(join(folder, 'lock.db'));
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new AppError(
      'illegal-state',
      `The data folder ${JSON.stringify(folder)} is in use by another running server.`,
      { cause },
    );
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
