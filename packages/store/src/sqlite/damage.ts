import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { databaseFile } from './databaseFile.ts';
import type { WalDamage } from './findWalDamage.ts';

/** Describes which part of the write-ahead log is unreadable, and the consequence. */
export function describeWalDamage(damage: WalDamage): string {
  const { frames, unreadableFrames, unreadableBytes, mayBeUnfinished } = damage;
  const found = `The write-ahead log ${databaseFile}-wal is damaged or missing: ${unreadableFrames} of ${frames} committed frames (${unreadableBytes} bytes) cannot be read`;
  return mayBeUnfinished
    ? `${found}. After a power failure this may be one commit that was never acknowledged; otherwise the latest changes are lost.`
    : `${found}, so the latest changes are lost.`;
}

/** Makes a copy of the log, because opening the database deletes the unreadable part. */
export function keepWal(database: string): string {
  const copy = `${database}-wal.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  if (!existsSync(`${database}-wal`)) return '';
  copyFileSync(`${database}-wal`, copy);
  return `The server continues with the state before them; the log as it was found is in ${JSON.stringify(copy)}.`;
}

/**
 * SQLite treats a file of zero bytes as a new database. In a folder that a server has used before, it is a
 * truncated database, and starting on it would look as if everything had been deleted.
 */
export function refuseEmptied(folder: string): void {
  const file = join(folder, databaseFile);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size !== 0 || !existsSync(join(folder, 'work'))) return;
  throw unreadable(file, new Error('it is empty; delete it to start with a new database'));
}

export function unreadable(file: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The database ${JSON.stringify(file)} cannot be read (${reason}).`;
  return new AppError('illegal-state', message, { cause });
}

/** Whether an error message says that SQLite cannot read its file; threads pass on only the message. */
export const isDamageMessage = (message: string): boolean =>
  /database disk image is malformed|file is not a database|disk I\/O error|malformed database schema/.test(
    message,
  );
