import { AppError } from '@millrace/contract';
import { postgres001 } from './001.postgres.ts';
import { sqlite001 } from './001.sqlite.ts';
import { postgres002 } from './002.postgres.ts';
import { sqlite002 } from './002.sqlite.ts';
import { postgres003 } from './003.postgres.ts';
import { sqlite003 } from './003.sqlite.ts';
import { postgres004 } from './004.postgres.ts';
import { sqlite004 } from './004.sqlite.ts';
import { postgres005 } from './005.postgres.ts';
import { sqlite005 } from './005.sqlite.ts';
import { postgres006 } from './006.postgres.ts';
import { sqlite006 } from './006.sqlite.ts';
import { postgres007 } from './007.postgres.ts';
import { sqlite007 } from './007.sqlite.ts';
import { postgres008 } from './008.postgres.ts';
import { sqlite008 } from './008.sqlite.ts';
import { postgres009 } from './009.postgres.ts';
import { sqlite009 } from './009.sqlite.ts';
import { postgres010 } from './010.postgres.ts';
import { sqlite010 } from './010.sqlite.ts';
import { postgres011 } from './011.postgres.ts';
import { sqlite011 } from './011.sqlite.ts';
import { postgres012 } from './012.postgres.ts';
import { sqlite012 } from './012.sqlite.ts';
import { postgres013 } from './013.postgres.ts';
import { sqlite013 } from './013.sqlite.ts';
import { postgres014 } from './014.postgres.ts';
import { sqlite014 } from './014.sqlite.ts';
import { postgres015 } from './015.postgres.ts';
import { sqlite015 } from './015.sqlite.ts';
import { postgres016 } from './016.postgres.ts';
import { sqlite016 } from './016.sqlite.ts';
import { postgres017 } from './017.postgres.ts';
import { sqlite017 } from './017.sqlite.ts';
import { postgres018 } from './018.postgres.ts';
import { sqlite018 } from './018.sqlite.ts';

/**
 * The schema migrations, in order. A released migration is never edited; each change gets the next number.
 * Each store runs the missing ones at start, in one transaction under a lock, and records them in
 * `schema_version`.
 */
export const migrations = [
  { version: 1, sqlite: sqlite001, postgres: postgres001 },
  { version: 2, sqlite: sqlite002, postgres: postgres002 },
  { version: 3, sqlite: sqlite003, postgres: postgres003 },
  { version: 4, sqlite: sqlite004, postgres: postgres004 },
  { version: 5, sqlite: sqlite005, postgres: postgres005 },
  { version: 6, sqlite: sqlite006, postgres: postgres006 },
  { version: 7, sqlite: sqlite007, postgres: postgres007 },
  { version: 8, sqlite: sqlite008, postgres: postgres008 },
  { version: 9, sqlite: sqlite009, postgres: postgres009 },
  { version: 10, sqlite: sqlite010, postgres: postgres010 },
  { version: 11, sqlite: sqlite011, postgres: postgres011 },
  { version: 12, sqlite: sqlite012, postgres: postgres012 },
  { version: 13, sqlite: sqlite013, postgres: postgres013 },
  { version: 14, sqlite: sqlite014, postgres: postgres014 },
  { version: 15, sqlite: sqlite015, postgres: postgres015 },
  { version: 16, sqlite: sqlite016, postgres: postgres016 },
  { version: 17, sqlite: sqlite017, postgres: postgres017 },
  { version: 18, sqlite: sqlite018, postgres: postgres018 },
] as const;

/** The newest schema version of this release. */
export const newestSchema: number = migrations[migrations.length - 1]?.version ?? 0;

/** One row per applied migration. The same text works in both dialects. */
export const createVersionTable =
  'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)';

/**
 * The migrations still to run on a database at `current`; rejects a database that a newer release has
 * migrated.
 */
export function missingMigrations(current: number): readonly (typeof migrations)[number][] {
  if (current > newestSchema) {
    throw new AppError(
      'illegal-state',
      `The database has schema ${current}, but this release of Millrace knows schemas up to ${newestSchema}; start the release that wrote it, or a newer one.`,
    );
  }
  return migrations.filter((migration) => migration.version > current);
}
