import { AppError } from '@millrace/contract';
import pg from 'pg';
import { createVersionTable, missingMigrations } from '../migrations/migrations.ts';
import { settingsFor } from './connect.ts';

/** Any number of our own; servers that start at once wait for each other on it. */
const migrationLock = 7_415_001;

/** Brings the database to the newest schema, in one transaction. */
export async function migratePostgres(url: string): Promise<void> {
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
    await client.query(createVersionTable);
    const { rows } = await client.query<{ version: number | null }>(
      'SELECT max(version) AS version FROM schema_version',
    );
    for (const migration of missingMigrations(rows[0]?.version ?? 0)) {
      await client.query(migration.postgres);
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
