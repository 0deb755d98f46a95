import { createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, stateOf, type TestServer, taskRunsOf } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

/** PostgreSQL's limits do not apply to superusers, so the product connects with a separate role. */
const role = `millrace_guest_${process.pid}`;
const soon = { timeout: 60_000 };

const flow = (id: string) =>
  aFlow(
    id,
    `concurrency: { limit: 1, behavior: QUEUE }
tasks:
  - id: wait
    type: test.Door
    door: ${id}
  - id: both
    type: core.flow.Parallel
    tasks:
      - { id: a, type: core.debug.Return, format: a }
      - { id: b, type: core.log.Log, message: b }
`,
  );

describe('a database that refuses its work for a while', () => {
  let database: TestDatabase;
  let url: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const address = new URL(database.url);
    await database.query(`CREATE ROLE ${role} LOGIN`);
    await database.query(`ALTER DATABASE ${address.pathname.slice(1)} OWNER TO ${role}`);
    await database.query(`ALTER SCHEMA public OWNER TO ${role}`);
    address.username = role;
    url = address.href;
  });
  afterAll(async () => {
    await database.drop();
    // The role belongs to the whole server.
    const other = await createTestDatabase();
    await other.query(`DROP ROLE ${role}`);
    await other.drop();
  });
  const disconnectAll = () =>
    database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);

  it.each([
    {
      what: 'has no connection left',
      ask: (server: TestServer) => server.call('GET', '/executions/search'),
      begin: `ALTER ROLE ${role} CONNECTION LIMIT 0`,
      end: `ALTER ROLE ${role} CONNECTION LIMIT -1`,
    },
    {
      what: 'may only be read',
      ask: (server: TestServer, id: string) => server.call('POST', `/executions/company.team/${id}`),
      begin: `ALTER ROLE ${role} SET default_transaction_read_only = on`,
      end: `ALTER ROLE ${role} RESET default_transaction_read_only`,
    },
  ])(
    '[A35] one that $what loses nothing, callers get an error, and everything continues afterwards',
    async ({ what, ask, begin, end }) => {
      const server = await aServer(sqlite, { databaseUrl: url });
      onTestFinished(async () => void (await database.query(end)));
      const id = anId();
      await server.saveFlow(flow(id));
      const { id: running } = await server.start(id);
      const { id: queued } = await server.start(id);
      await expect.poll(() => arrivals(id), soon).toBe(1);
      await database.query(begin);
      await disconnectAll();
      openDoor(id);
      const refused = await ask(server, id);
      expect([what, refused.status]).toEqual([what, 503]);
      await database.query(end);
      const [first, second] = [
        await server.waitForState(running, 'SUCCESS'),
        await server.waitForState(queued, 'SUCCESS'),
      ];
      for (const execution of [first, second])
        expect(taskRunsOf(execution).map((run) => [run.taskId, stateOf(run)])).toEqual([
          ['wait', 'SUCCESS'],
          ['both', 'SUCCESS'],
          ['a', 'SUCCESS'],
          ['b', 'SUCCESS'],
        ]);
      expect(arrivals(id)).toBe(2);
      const { body } = await server.call('GET', `/executions/search?flowId=${id}`);
      expect(body.total).toBe(2);
    },
    180_000,
  );
});
