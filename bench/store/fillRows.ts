import { join } from 'node:path';
import type { StoreConfig } from '@millrace/store';
import pg from 'pg';
import { settingsFor } from '../../packages/store/src/postgres/connect.ts';
import { migratePostgres } from '../../packages/store/src/postgres/migrate.ts';
import { LogIndex } from '../../packages/store/src/sqlite/logIndex.ts';
import { migrateSqlite } from '../../packages/store/src/sqlite/migrate.ts';
import { openForWriting } from '../../packages/store/src/sqlite/openForWriting.ts';
import { type FillOptions, fillStatements, postgresWords, sqliteWords } from './fillStatements.ts';

/** Fills an empty database with rows that the database generates itself: the store would take an hour. */
export async function fillRows(config: StoreConfig, options: FillOptions): Promise<void> {
  if (config.kind === 'sqlite') return fillSqlite(join(config.folder, 'millrace.db'), options);
  await migratePostgres(config.url);
  const client = new pg.Client(settingsFor(config.url));
  await client.connect();
  try {
    // Tables are scanned from their first row, so that rows derived from them are also in the order of time.
    await client.query(
      `SET synchronize_seqscans = off; SET maintenance_work_mem = '512MB'; SET work_mem = '64MB'`,
    );
    const { rows } = await client.query<{ name: string; sql: string }>(postgresIndexes);
    for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
    for (const statement of fillStatements(options, postgresWords)) await client.query(statement);
    for (const { sql } of rows) await client.query(sql);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/**
 * All indexes except unique ones. They are created afterwards: updating them row by row takes ten times as
 * long.
 */
const postgresIndexes = `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS sql
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE NOT i.indisunique AND t.relnamespace = current_schema()::regnamespace
    AND t.relname IN ('executions', 'execution_labels', 'task_runs', 'logs', 'roll_up', 'execution_stats')`;

const sqliteIndexes = `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX%'
  AND tbl_name IN ('executions', 'execution_labels', 'task_runs', 'logs', 'roll_up', 'execution_stats')`;

function fillSqlite(file: string, options: FillOptions): void {
  migrateSqlite(file);
  const database = openForWriting(file);
  try {
    database.exec('PRAGMA synchronous = OFF');
    database.exec('PRAGMA cache_size = -500000');
    // `as`: the columns are those of the statement.
    const indexes = database.prepare(sqliteIndexes).all() as { name: string; sql: string }[];
    for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
    for (const statement of fillStatements(options, sqliteWords)) database.exec(statement);
    for (const { sql } of indexes) database.exec(sql);
    const index = new LogIndex(database);
    while (index.step()) {
      // The writing thread does this when idle.
    }
    database.exec('PRAGMA analysis_limit = 1000');
    database.exec('PRAGMA optimize = 0x10002');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}
