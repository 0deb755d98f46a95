import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../sqlite/openDatabase.ts';
import { sharedPostgres } from './sharedPostgres.ts';

export interface TestDatabase {
  readonly url: string;
  /** Queries the database directly, bypassing every server. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/**
 * A separate database for one test file, empty or a copy of another one without connections; `drop` also
 * closes remaining connections.
 */
export async function createTestDatabase(serverUrl?: string, template?: TestDatabase): Promise<TestDatabase> {
  const server = serverUrl ?? (await sharedPostgres());
  const name = `millrace_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const copied = template ? ` TEMPLATE ${new URL(template.url).pathname.slice(1)}` : '';
  await runStatement(server, `CREATE DATABASE ${name}${copied}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text, values) => runStatement(url.href, text, values),
    drop: async () => {
      await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function runStatement(
  url: string,
  statement: string,
  values?: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** Runs statements on a closed SQLite store, bypassing all guards of its rows. */
export function alterSqlite(folder: string, statements: readonly string[]): void {
  const database = openDatabase(join(folder, 'millrace.db'));
  for (const statement of statements) database.exec(statement);
  database.close();
}
