import { createRequire } from 'node:module';
import type { SqlValue } from '../rows/value.ts';

/** The part of the `node:sqlite` API that the store uses. */
export interface Statement {
  run(...params: SqlValue[]): { changes: number | bigint };
  get(...params: SqlValue[]): unknown;
  all(...params: SqlValue[]): unknown[];
}

export interface Database {
  exec(text: string): void;
  prepare(text: string): Statement;
  function(name: string, options: { varargs?: boolean; deterministic?: boolean }, call: unknown): void;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => Database;
}

/**
 * Opens a SQLite file. Node has SQLite built in, since 22.16 with the full-text search that the store needs;
 * for older versions a prebuilt package has the same API, but its statements do not keep their connection
 * alive. So this module keeps a reference to every connection until it is closed.
 */
export function openDatabase(file: string, options: { readOnly?: boolean } = {}): Database {
  const database = new (loadSqlite().DatabaseSync)(file, options);
  open.add(database);
  database.exec('PRAGMA busy_timeout = 5000');
  return {
    exec: (text) => database.exec(text),
    prepare: (text) => database.prepare(text),
    function: (name, settings, call) => database.function(name, settings, call),
    close: () => {
      database.close();
      open.delete(database);
    },
  };
}

const open = new Set<Database>();
let loaded: SqliteModule | undefined;

/** Node 22 warns that its SQLite is experimental, on every start; there is nothing for a user to do. */
function withoutExperimentalWarning(load: () => unknown): unknown {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loadSqlite(): SqliteModule {
  if (loaded === undefined) {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const builtIn = major > 22 || (major === 22 && minor >= 16);
    const require = createRequire(import.meta.url);
    const load = () => require(builtIn ? 'node:sqlite' : '@photostructure/sqlite');
    // `as`: both have the API declared above, and TypeScript knows no types for a module loaded by name.
    loaded = withoutExperimentalWarning(load) as SqliteModule;
  }
  return loaded;
}
