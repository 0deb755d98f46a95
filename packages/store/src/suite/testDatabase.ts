import pg from 'pg';
import { sharedPostgres } from './sharedPostgres.ts';

/** A database of its own for one test file; `drop` also ends whatever is still connected. */
export async function createTestDatabase(
  serverUrl?: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const server = serverUrl ?? (await sharedPostgres());
  const name = `millrace_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  await runAdmin(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function runAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
