import { createVersionTable, missingMigrations } from '../migrations/migrations.ts';
import type { Database } from './openDatabase.ts';
import { openForWriting } from './openForWriting.ts';

/**
 * Brings the file to the newest schema, in one transaction; creates it when it is not there. `clearsLog` empties the
 * write-ahead log first: frames that cannot be read would stay behind the next ones and be reported again.
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
    // Closing alone would leave the lock to the garbage collector.
    if (hasBegun) rollBack(database);
    throw error;
  } finally {
    database.close();
  }
}

/** SQLite has rolled back already when the file cannot be read; that error is the one to report. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {}
}
