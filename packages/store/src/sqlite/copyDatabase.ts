import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from './databaseFile.ts';
import { openDatabase } from './openDatabase.ts';

/**
 * Writes a snapshot of a data folder's database into an empty folder, while a server may continue to use the
 * database. The copy is one file without free pages, and is on disk when this returns.
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
