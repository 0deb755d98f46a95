import { AppError } from '@millrace/contract';
import { postgres018 } from './018.postgres.ts';
import { sqlite018 } from './018.sqlite.ts';

/**
 * The schema migrations, in order. A released migration is never edited; each change gets the next number.
 * Each store runs the missing ones at start, in one transaction under a lock, and records them in
 * `schema_version`. The first one creates the whole schema. Its number is 18 because development versions
 * reached the same schema in 18 steps: their databases are current, and their older servers are fenced.
 */
export const migrations = [{ version: 18, sqlite: sqlite018, postgres: postgres018 }] as const;

/** Older schemas are those of development versions. */
export const oldestSchema: number = migrations[0].version;

/** The newest schema version of this release. */
export const newestSchema: number = migrations[migrations.length - 1]?.version ?? 0;

/** One row per applied migration. The same text works in both dialects. */
export const createVersionTable =
  'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)';

/**
 * The migrations still to run on a database at `current`, 0 when it is empty; rejects a database that a newer
 * release has migrated, or an old development version.
 */
export function missingMigrations(current: number): readonly (typeof migrations)[number][] {
  if (current > newestSchema) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current}, but this release of Millrace knows schemas up to ${newestSchema}; start the release that wrote it, or a newer one.`,
    );
  }
  if (current > 0 && current < oldestSchema) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current} of a development version of Millrace, but this release upgrades schemas from ${oldestSchema} on; start commit b89ce971 once, which upgrades it to ${oldestSchema}, or use an empty database.`,
    );
  }
  return migrations.filter((migration) => migration.version > current);
}
