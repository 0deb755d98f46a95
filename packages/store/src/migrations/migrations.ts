import { AppError } from '@millrace/contract';
import { postgres020, postgresFrom019 } from './020.postgres.ts';
import { sqlite020, sqliteFrom019 } from './020.sqlite.ts';

interface Migration {
  readonly version: number;
  readonly sqlite: string;
  readonly postgres: string;
}

/**
 * The schema migrations, in order. A released migration is never edited; each change gets a higher number. Each store
 * runs the missing ones at start, in one transaction under a lock, and records them in `schema_version`. The first
 * one creates the whole schema; the 19 steps before it were never released.
 */
export const migrations: readonly Migration[] = [{ version: 20, sqlite: sqlite020, postgres: postgres020 }];

/** Data of the last development version stays usable: this step replaces the first migration. */
export const lastPreview = 19;
const fromLastPreview: Migration = { version: 20, sqlite: sqliteFrom019, postgres: postgresFrom019 };

/** The newest schema version of this release. */
export const newestSchema: number = migrations[migrations.length - 1]?.version ?? 0;

/** Whether this release reads the schema, or can upgrade it. */
export const isKnownSchema = (version: number): boolean =>
  version === lastPreview || migrations.some((migration) => migration.version === version);

/** One row per applied migration. The same text works in both dialects. */
export const createVersionTable =
  'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)';

/**
 * The migrations still to run on a database at `current`, 0 when it is empty; rejects a database that a newer
 * release has migrated, or an older development version.
 */
export function missingMigrations(current: number): readonly Migration[] {
  if (current > newestSchema) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current}, but this release of Millrace knows schemas up to ${newestSchema}; start the release that wrote it, or a newer one.`,
    );
  }
  if (current > 0 && !isKnownSchema(current)) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current} of an unreleased version of Millrace, which this release cannot upgrade; use a database of schema ${lastPreview} or newer, or an empty one.`,
    );
  }
  const newer = migrations.filter((migration) => migration.version > current);
  return current === lastPreview ? [fromLastPreview, ...newer.slice(1)] : newer;
}
