import { AppError } from '@millrace/contract';
import { postgres015 } from './015.postgres.ts';
import { sqlite015 } from './015.sqlite.ts';
import { postgres018 } from './018.postgres.ts';
import { sqlite018 } from './018.sqlite.ts';
import { postgres019 } from './019.postgres.ts';
import { sqlite019 } from './019.sqlite.ts';

/**
 * The schema migrations, in order. A published migration is never edited; each change gets a higher number.
 * Each store runs the missing ones at start, in one transaction under a lock, and records them in
 * `schema_version`. The first one creates a whole schema: that which the first published versions had, reached in 15
 * steps. Numbers that are missing here were used only between two published versions.
 */
export const migrations = [
  { version: 15, sqlite: sqlite015, postgres: postgres015 },
  { version: 18, sqlite: sqlite018, postgres: postgres018 },
  { version: 19, sqlite: sqlite019, postgres: postgres019 },
] as const;

/** The newest schema version of this release. */
export const newestSchema: number = migrations[migrations.length - 1]?.version ?? 0;

/** Whether this release reads the schema, or can upgrade it. */
export const isKnownSchema = (version: number): boolean =>
  migrations.some((migration) => migration.version === version);

/** One row per applied migration. The same text works in both dialects. */
export const createVersionTable =
  'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)';

/**
 * The migrations still to run on a database at `current`, 0 when it is empty; rejects a database that a newer
 * release has migrated, or a version that was never published.
 */
export function missingMigrations(current: number): readonly (typeof migrations)[number][] {
  if (current > newestSchema) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current}, but this release of Millrace knows schemas up to ${newestSchema}; start the release that wrote it, or a newer one.`,
    );
  }
  if (current > 0 && !isKnownSchema(current)) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current} of an unpublished version of Millrace, which this release cannot upgrade; use a backup of a published version, or an empty database.`,
    );
  }
  return migrations.filter((migration) => migration.version > current);
}
