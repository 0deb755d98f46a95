import { createVersionTable, missingMigrations } from '../migrations/migrations.ts';
import type { Database } from './openDatabase.ts';
import { openForWriting } from './openForWriting.ts';

/**
 * Migrates the file to the newest schema, in one transaction; creates it when it does not exist. `clearsLog`
 * empties the write-ahead log first: unreadable frames would otherwise stay after the next ones and be
 * reported again.
 */
export function migrateSqlite(file: string, clearsLog = false): void {
  const database = openForWriting(file);
  let hasBegun = false;
  try {
    if (clearsLog) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.exec('BEGIN IMMEDIATE');
    hasBegun = true;
    database.exec(createVersionTable);
    // `as`: the column is that of the statement.
    const row = database.prepare('SELECT max(version) AS version FROM schema_version').get() as {
      version: number | null;
    };
    const record = database.prepare('INSERT INTO schema_version (version, applied_at) VALUES (?, ?)');
    for (const migration of missingMigrations(row.version ?? 0)) {
      database.exec(migration.sqlite);
      record.run(migration.version, Date.now());
    }
    database.exec('COMMIT');
  } catch (error) {
    // Without a rollback the lock would stay until garbage collection.
    if (hasBegun) rollBack(database);
    throw error;
  } finally {
    database.close();
  }
}

/** SQLite has already rolled back when the file is unreadable; the caller reports that error. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {}
}
