import { resolve } from 'node:path';
import { AppError } from '@millrace/contract';
import { isDamageMessage } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import { StartError } from '../startError.ts';
import { readLastBackup } from './lastBackup.ts';

/** Which commands bring a damaged SQLite database back, with the backup to use. */
export async function describeRepair({ data }: Pick<Config, 'data'>): Promise<string> {
  const folder = resolve(data);
  const backup = await readLastBackup(folder);
  return backup
    ? `The latest backup is "${backup.folder}" of ${backup.createdAt}. Restore it with: millrace restore "${backup.folder}" --data "${folder}" --force (what is there now is kept in a folder before-…).`
    : `No backup of this folder is known. If you have one (a folder with a backup.json), restore it with: millrace restore BACKUP --data "${folder}" --force (what is there now is kept in a folder before-…).`;
}

/** Whether the error says that the SQLite database cannot be read. */
export function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isUnreadable = error instanceof AppError && /^The database ".*" cannot be read/s.test(error.message);
  return isUnreadable || isDamageMessage(error.message);
}

/** The same error, or one with advice when the SQLite database of the data folder cannot be read. */
export async function withRepairHint(
  error: unknown,
  config: Pick<Config, 'data' | 'database'>,
): Promise<unknown> {
  if (config.database.url !== undefined || !isDamage(error)) return error;
  const found =
    error instanceof AppError
      ? error.message
      : `The database in "${resolve(config.data)}" is damaged (${error.message}).`;
  const doctor = `Check it with: millrace doctor --data "${resolve(config.data)}".`;
  return new StartError(`${found} ${doctor} ${await describeRepair(config)}`, { cause: error });
}
