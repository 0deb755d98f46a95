import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from './databaseFile.ts';
import { openDatabase } from './openDatabase.ts';

/**
 * Writes the database of a data folder into an empty folder as it is at this moment, while a server may go on working
 * on it. The copy is one file without free pages, and on disk when this returns.
 */
export function copyDatabase(folder: string, target: string): void {
  const database = openDatabase(join(folder, databaseFile), { readOnly: true });
  const copy = join(target, databaseFile);
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
  const file = openSync(copy, 'r+');
  fsyncSync(file);
  closeSync(file);
}
