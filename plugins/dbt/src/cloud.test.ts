import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aTaskContext, realNetwork, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { checkStatus, triggerRun } from './cloud.ts';

let server: Server;
let baseUrl = '';
let calls: string[] = [];
let polls = 0;
let run: Record<string, unknown> = {};
let failures = 0;

const results = {
  metadata: { generated_at: '2026-01-01T00:00:09Z' },
  results: [{ unique_id: 'model.shop.orders', status: 'success', timing: [], adapter_response: {} }],
};

/** The calls of the Administrative API v2 of dbt Cloud: paths, login and bodies of its documentation. */
beforeAll(async () => {
  server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = decodeURIComponent((request.url ?? '').replace('/api/v2/accounts/1/', ''));
      calls.push(`${request.method} ${path} ${body}`);
      const send = (status: number, value: unknown) =>
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.headers.authorization !== 'Token secret-token')
        return send(401, { status: { user_message: 'Invalid token' } });
      if (failures-- > 0) return send(503, {});
      if (request.method === 'POST' && path === 'jobs/5/run/')
        return send(200, { data: { id: 77, href: 'https://x/77' } });
      if (request.method === 'POST' && path === 'runs/77/cancel/') return send(200, { data: { id: 77 } });
      if (path.startsWith('runs/77/?')) {
        polls++;
        const steps = [{ name: 'dbt build', status_humanized: polls < 2 ? 'Running' : 'Success' }];
        return send(200, { data: { id: 77, is_complete: polls >= 2, run_steps: steps, ...run } });
      }
      if (path === 'runs/77/artifacts/run_results.json') return send(200, results);
      return send(404, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
  polls = 0;
  failures = 0;
  run = { is_success: true };
});

const aContext = () => aTaskContext(realNetwork());
const cloud = () => ({
  baseUrl,
  accountId: '1',
  token: 'secret-token',
  pollFrequency: 'PT0.01S',
  initialDelayMs: 1,
});
const said = ({ logs }: TestContext) => logs.map(({ message }) => message);

test('starts a run, logs its steps, and shows its nodes', async () => {
  const context = aContext();
  const outputs = await runType(
    triggerRun,
    {
      ...cloud(),
      jobId: '5',
      cause: 'test',
      gitBranch: 'dev',
      threadsOverride: '4',
      stepsOverride: ['dbt run'],
    },
    context,
  );
  expect(outputs).toEqual({ runId: 77, runResults: expect.any(String) });
  expect(calls[0]).toBe(
    'POST jobs/5/run/ {"cause":"test","git_branch":"dev","threads_override":4,"steps_override":["dbt run"]}',
  );
  expect(said(context)).toEqual([
    'Started the run 77: https://x/77',
    'dbt build: Running',
    'dbt build: Success',
  ]);
  expect(context.taskRuns).toMatchObject([{ taskId: 'model.shop.orders', state: 'SUCCESS' }]);
});

test('does not wait when it is not asked to; CheckStatus does', async () => {
  expect(await runType(triggerRun, { ...cloud(), jobId: '5', wait: false }, aContext())).toEqual({
    runId: 77,
  });
  expect(polls).toBe(0);
  expect(await runType(checkStatus, { ...cloud(), runId: '77' }, aContext())).toEqual({
    runResults: expect.any(String),
  });
});

test('fails when the run does not succeed, takes too long or the token is wrong', async () => {
  run = { is_success: false, status_humanized: 'Error', status_message: 'no such table' };
  await expect(runType(checkStatus, { ...cloud(), runId: '77' }, aContext())).rejects.toThrow(
    'did not succeed: Error: no such table',
  );
  run = { is_complete: false };
  await expect(
    runType(checkStatus, { ...cloud(), runId: '77', maxDuration: 'PT0.05S' }, aContext()),
  ).rejects.toThrow('did not end within 0.05 s');
  await expect(runType(checkStatus, { ...cloud(), token: 'x', runId: '77' }, aContext())).rejects.toThrow(
    'status 401',
  );
});

test('sends a request again when dbt Cloud is at fault, at most as often as it may', async () => {
  failures = 2;
  expect(await runType(triggerRun, { ...cloud(), jobId: '5', wait: false }, aContext())).toEqual({
    runId: 77,
  });
  failures = 9;
  await expect(
    runType(triggerRun, { ...cloud(), jobId: '5', wait: false, maxRetries: 1 }, aContext()),
  ).rejects.toThrow('status 503');
});

test('killing the task cancels the run', async () => {
  run = { is_complete: false };
  const context = aContext();
  const running = runType(triggerRun, { ...cloud(), jobId: '5' }, context);
  await vi.waitFor(() => expect(polls).toBeGreaterThan(0), { timeout: 30_000 });
  context.kill();
  await expect(running).rejects.toThrow();
  await vi.waitFor(() => expect(calls.some((call) => call.startsWith('POST runs/77/cancel/'))).toBe(true), {
    timeout: 30_000,
  });
});
