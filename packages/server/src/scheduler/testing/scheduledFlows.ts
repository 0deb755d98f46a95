import { aServer, type TestServer } from '../../testing/aServer.ts';
import type { Database } from '../../testing/databases.ts';

export type Body = Record<string, unknown>;

/** A server at midnight whose clock stands still until the test moves it. */
export async function aServerAt(database: Database, start = '2025-03-01T00:00:00Z', databaseUrl?: string) {
  const time = { now: Date.parse(start) };
  const options = { clock: () => time.now, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  const server = await aServer(database, options);
  const moveTo = (date: string) => {
    time.now = Date.parse(date);
  };
  return {
    server,
    moveTo,
    goTo: async (date: string) => {
      moveTo(date);
      await server.product.scheduler.runDue();
    },
  };
}

export const daily = (more = '', tasks = '') =>
  `triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: "0 2 * * *"\n${more}${tasks}`;

export const atDoor = (door: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${door}\n`;

export async function executionsOf(server: TestServer, flowId: string): Promise<Body[]> {
  const { body } = await server.call(
    'GET',
    `/executions/search?flowId=${flowId}&size=1000&sort=state.startDate:asc`,
  );
  return body.results as Body[];
}

export const datesOf = async (server: TestServer, flowId: string): Promise<string[]> =>
  (await executionsOf(server, flowId))
    .map(({ trigger }) => String(((trigger as Body).variables as Body).date))
    .sort();

export const rowOf = (server: TestServer, flowId: string, triggerId = 'daily') =>
  server.product.store.getTrigger('company.team', flowId, triggerId);

export const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

export async function logsOf(server: TestServer, flowId: string): Promise<string[]> {
  const { body } = await server.call('GET', `/logs/search?flowId=${flowId}&triggerId=daily`);
  return (body.results as Body[]).map(({ message }) => String(message));
}
