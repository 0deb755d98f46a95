import { type Database, openDatabase } from './openDatabase.ts';

/**
 * The writing connection. FULL: a commit is on disk when it returns, which costs little because commits are
 * grouped. The page size and the auto-vacuum mode must be set before the first table; on an existing file
 * these statements do nothing.
 */
export function openForWriting(file: string): Database {
  const database = openDatabase(file);
  database.exec('PRAGMA page_size = 8192');
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA cache_size = -16384');
  database.exec('PRAGMA wal_autocheckpoint = 4000');
  database.exec('PRAGMA journal_size_limit = 134217728');
  database.exec('PRAGMA temp_store = MEMORY');
  return database;
}
