import { type Endpoint, listEndpoints } from '@millrace/contract';
import { openQueuePool } from '@millrace/store';
import { alterSqlite, anExecution, aTaskRun, insert } from '@millrace/store/suite';
import { describe, expect, it } from 'vitest';
import { aServer, type TestServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { toBoundedJson } from './boundedJson.ts';
import { HttpRefusal } from './problem.ts';

const taskRunCount = 10_100;
const maxListCharacters = 500_000;
const maxExecutionCharacters = 30_000_000;

/** Calls that are about task runs. */
const readsTaskRuns = new Set([
  'exportTaskRunsAsCsv',
  'exportTaskRunsAsJson',
  'getFlowGrid',
  'listCurrentTasks',
  'searchTaskRuns',
  'getDailyTaskRuns',
  'getUsage',
  'getAllUsages',
]);

const isOfExecution = ({ path }: Endpoint): boolean => path.includes('{executionId}');

describe.each(databases)('an execution with very many task runs on $name', (database) => {
  it('is in no list with its task runs, and no list reads their table', { timeout: 240_000 }, async () => {
    const server = await aServer(database);
    await server.saveFlow(
      'id: large\nnamespace: company.team\ntasks:\n  - {id: task, type: core.debug.Return, format: x}\n',
    );
    const execution = anExecution({ id: 'large', flowId: 'large', state: 'SUCCESS', start: Date.now() });
    await storeTaskRuns(server, execution);
    const reads = listEndpoints().filter(({ endpoint }) => endpoint.method === 'GET');

    const one = await server.call('GET', '/executions/large');
    expect(one.body.taskRunTotal).toBe(taskRunCount);
    expect((one.body.taskRunList as unknown[]).length).toBe(10_000);
    for (const { name, endpoint } of reads.filter(({ endpoint }) => isOfExecution(endpoint))) {
      if (endpoint.replyKind === 'stream') continue;
      const size = await sizeOf(server, endpoint);
      expect(size, `${name} responds with ${size} characters`).toBeLessThan(maxExecutionCharacters);
    }

    await renameTaskRuns(server, 'task_runs', 'hidden_task_runs');
    try {
      for (const { name, endpoint } of reads.filter(({ endpoint }) => !isOfExecution(endpoint))) {
        if (endpoint.replyKind === 'stream' || readsTaskRuns.has(name)) continue;
        const size = await sizeOf(server, endpoint);
        expect(size, `${name} responds with ${size} characters`).toBeLessThan(maxListCharacters);
      }
      const latest = await server.call('POST', '/executions/latest', {
        payload: JSON.stringify([{ namespace: 'company.team', id: 'large' }]),
        headers: { 'content-type': 'application/json' },
      });
      expect(latest.status).toBe(200);
    } finally {
      await renameTaskRuns(server, 'hidden_task_runs', 'task_runs');
    }
  });
});

it('a response that is too large is refused with what to do, not with a failure', () => {
  const large = { results: ['x'.repeat(1_000)] };
  expect(toBoundedJson(large, 2_000)).toHaveLength(1_016);
  expect(() => toBoundedJson(large, 1_000)).toThrow(HttpRefusal);
  expect(() => toBoundedJson(large, 1_000)).toThrow('ask for less');
  const tooLongForTheRuntime = {
    toJSON: () => {
      throw new RangeError('Invalid string length');
    },
  };
  expect(() => toBoundedJson(tooLongForTheRuntime)).toThrow('ask for less');
});

async function storeTaskRuns(
  { product: { store } }: TestServer,
  execution: ReturnType<typeof anExecution>,
): Promise<void> {
  await store.commit([insert(execution)]);
  const state = { current: 'SUCCESS', histories: [{ state: 'SUCCESS', date: Date.now() }] } as const;
  for (let order = 0; order < taskRunCount; order += 100) {
    await store.commit(
      Array.from({ length: 100 }, (_, index) => ({
        op: 'taskRun.put',
        taskRun: aTaskRun(execution.id, { order: order + index, state, outputs: { text: 'x'.repeat(50) } }),
      })),
    );
  }
}

const names: Readonly<Record<string, string>> = {
  executionId: 'large',
  namespace: 'company.team',
  flowId: 'large',
  id: 'large',
};

/** Calls an endpoint with existing names in its path; returns the length of its response. */
async function sizeOf({ app }: TestServer, { base, path }: Endpoint): Promise<number> {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x');
  const query = 'size=100&namespace=company.team&flowId=large';
  const root = base === undefined || base === 'product' ? '/api/v1' : '';
  const answer = await app.inject({ method: 'GET', url: `${root}${url}?${query}` });
  expect(answer.statusCode, `${url}: ${answer.body.slice(0, 300)}`).toBeLessThan(500);
  return answer.body.length;
}

/** A statement that still reads the table fails then. */
async function renameTaskRuns({ product: { config } }: TestServer, from: string, to: string): Promise<void> {
  const statement = `ALTER TABLE ${from} RENAME TO ${to}`;
  if (config.database.url === undefined) {
    alterSqlite(config.data, [statement]);
    return;
  }
  const pool = await openQueuePool(config.database.url);
  await pool.query(statement);
  await pool.end();
}
