import type { TestDatabase } from '@millrace/store/suite';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions } from './aServer.ts';
import { createMigratedDatabase, sqlite } from './databases.ts';

/** Fast enough for a test; a machine under load may still be slow. */
const cluster = { heartbeatMs: 200, deadAfterMs: 2_000 };

/** Servers that share one PostgreSQL database. Each test starts its own; they are removed when it ends. */
export function severalServers({
  settings = {},
  ...options
}: Pick<TestServerOptions, 'settings' | 'definitions'> = {}) {
  let database: TestDatabase;
  const open: { server: TestServer; remove(): Promise<void> }[] = [];
  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ remove }) => remove()));
  });
  afterAll(async () => {
    await database.drop();
  });
  const startWith = (more: Record<string, unknown>, ...roles: string[]) => startAt(Date.now, more, ...roles);
  const startAt = async (
    clock: () => number,
    more: Record<string, unknown>,
    ...roles: string[]
  ): Promise<TestServer> => {
    const started = await startTestServer(sqlite, {
      ...options,
      clock,
      databaseUrl: database.url,
      settings: { cluster, ...settings, ...more, ...(roles.length === 0 ? {} : { server: { roles } }) },
    });
    open.push(started);
    return started.server;
  };
  return {
    /** A server with these roles; all roles by default. */
    start: (...roles: string[]) => startWith({}, ...roles),
    startWith,
    /** A server whose clock is not that of the others. */
    startAt: (clock: () => number) => startAt(clock, {}),
    query: (text: string, values?: unknown[]) => database.query(text, values),
    ownerOf: async (executionId: string): Promise<unknown> =>
      (await database.query('SELECT owner FROM executions WHERE id = $1', [executionId]))[0]?.owner,
    messages: async (): Promise<number> =>
      Number((await database.query('SELECT count(*) FROM execution_messages'))[0]?.count),
  };
}
