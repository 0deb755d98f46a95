import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The file in a data folder that describes its latest backup. */
const lastBackupFile = 'last-backup.json';

const LastBackup = z.object({ folder: z.string(), createdAt: z.iso.datetime() });
export type LastBackup = z.infer<typeof LastBackup>;

export const noteBackup = (data: string, backup: LastBackup): Promise<void> =>
  writeFile(join(data, lastBackupFile), `${JSON.stringify(backup)}\n`);

/** The latest backup of a data folder; undefined when there is none or the file is unreadable. */
export async function readLastBackup(data: string): Promise<LastBackup | undefined> {
  try {
    return LastBackup.parse(JSON.parse(await readFile(join(data, lastBackupFile), 'utf8')));
  } catch {
    return undefined;
  }
}
