import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreInspector } from '../maintenance/inspection.ts';
import { inspectRows } from '../maintenance/inspectRows.ts';
import { refuseEmptied } from './damage.ts';
import { databaseFile } from './databaseFile.ts';
import { openForReading } from './openForReading.ts';
import { StatementCache } from './statementCache.ts';

const cacheKilobytes = 8_192;
const problemsShown = 20;

/** Inspects the database file of a data folder, or a copy of it, without a server. */
export function inspectSqlite(folder: string): StoreInspector {
  const file = join(folder, databaseFile);
  if (!existsSync(file)) return inspectNothing();
  refuseEmptied(folder);
  const database = openForReading(file, cacheKilobytes);
  const statements = new StatementCache(database);
  return inspectRows(async ({ text, params }) => statements.all(text, params), {
    hasSchema: async () =>
      statements.all("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'", []).length > 0,
    problems: async () =>
      statements
        .all(`PRAGMA quick_check(${problemsShown})`, [])
        .map((row) => String(row.quick_check))
        .filter((text) => text !== 'ok'),
    close: async () => database.close(),
  });
}

const inspectNothing = (): StoreInspector =>
  inspectRows(async () => [], {
    hasSchema: async () => false,
    problems: async () => [],
    close: async () => {},
  });
