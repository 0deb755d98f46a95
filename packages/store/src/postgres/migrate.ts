import { AppError } from '@millrace/contract';
import pg from 'pg';
import { createVersionTable, missingMigrations } from '../migrations/migrations.ts';
import { codeOf, settingsFor } from './connect.ts';

/** An arbitrary advisory lock key: servers that start at the same time migrate one after the other. */
const migrationLock = 7_415_001;

/** The server aborted one of two deadlocked transactions; the other has ended by the next try. */
const deadlock = '40P01';
const tries = 5;

/** Brings the database to the newest schema, in one transaction. */
export async function migratePostgres(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(url);
    } catch (error) {
      if (codeOf(error) !== deadlock || attempt === tries) throw error;
    }
  }
}

async function migrateOnce(url: string): Promise<void> {
  const client = new pg.Client(settingsFor(url));
  await client.connect();
  try {
    const encoding = await client.query<{ server_encoding: string }>('SHOW server_encoding');
    if (encoding.rows[0]?.server_encoding !== 'UTF8') {
      throw new AppError(
        'illegal-state',
        `The database must have the encoding UTF8, not ${encoding.rows[0]?.server_encoding}.`,
      );
    }
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const { rows: others } = await client.query<{ found: boolean }>(
      "SELECT to_regclass('executions') IS NOT NULL AND to_regclass('schema_version') IS NULL AS found",
    );
    // A database of Kestra has tables of the same names.
    if (others[0]?.found === true) {
      throw new AppError(
        'illegal-state',
        'The database already has tables of another program, such as "executions". Create an empty database and name it in database.url.',
      );
    }
    await client.query(createVersionTable);
    const { rows } = await client.query<{ version: number | null }>(
      'SELECT max(version) AS version FROM schema_version',
    );
    const missing = missingMigrations(rows[0]?.version ?? 0);
    for (const migration of missing) await client.query(migration.postgres);
    // Writes of servers of an older release wait for this lock, and are then fenced.
    if (missing.length > 0) await client.query('LOCK TABLE schema_version IN ACCESS EXCLUSIVE MODE');
    for (const migration of missing) {
      await client.query('INSERT INTO schema_version (version, applied_at) VALUES ($1, $2)', [
        migration.version,
        Date.now(),
      ]);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
