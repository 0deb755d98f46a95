import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aServer, sharedServer } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';
import { createManagementServer, managementRoutes } from './server.ts';

async function listen(product: Parameters<typeof createManagementServer>[0]) {
  const server = createManagementServer(product);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : text,
      headers: response.headers,
    };
  };
  return { url, ask, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe.each(databases)('the management port on $name (api 9)', (database) => {
  const shared = sharedServer(database);
  let port: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    port = await listen(shared().product);
  });
  afterAll(() => port.close());

  it('tells the health of every part, and whether it lives and is ready', async () => {
    const { status, body } = await port.ask('/health');
    expect([status, body.name, body.status]).toEqual([200, 'millrace', 'UP']);
    expect(
      Object.entries(body.details).map(([name, part]) => [name, (part as { status: string }).status]),
    ).toEqual([
      ['database', 'UP'],
      ['diskSpace', 'UP'],
      ['service', 'UP'],
    ]);
    for (const path of ['/health/liveness', '/health/readiness', '/healthz', '/readyz']) {
      expect([path, (await port.ask(path)).body]).toEqual([path, { status: 'UP' }]);
    }
    const main = await shared().app.inject('/health');
    expect([main.statusCode, main.json()]).toEqual([200, { name: 'millrace', status: 'UP' }]);
  });

  it('shows what the worker runs and what the scheduler waits for, but no properties of tasks', async () => {
    const [server, door] = [shared(), `held on ${database.name}`];
    await server.saveFlow(aFlow('held', `tasks:\n  - id: wait\n    type: test.Door\n    door: ${door}\n`));
    await server.saveFlow(
      aFlow('timed', 'triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: "0 9 * * *"\n'),
    );
    const { id } = await server.start('held');
    await expect.poll(() => arrivals(door)).toBe(1);
    const { body } = await port.ask('/worker');
    expect(body).toMatchObject({
      runningCount: 1,
      runnings: [
        {
          type: 'task',
          taskRun: { executionId: id, taskId: 'wait' },
          task: { id: 'wait', type: 'test.Door' },
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('"door"');
    openDoor(door);
    await server.waitForState(id, 'SUCCESS');
    const scheduler = (await port.ask('/scheduler')).body;
    expect(scheduler).toMatchObject({
      schedulableCount: 1,
      schedulable: [{ namespace: 'company.team', flowId: 'timed', revision: 1, trigger: { id: 'daily' } }],
    });
    expect(Date.parse(scheduler.schedulable[0].next)).toBeGreaterThan(Date.now());
  });
});

describe('the management port', () => {
  const shared = sharedServer(sqlite, {
    settings: { metrics: { prefix: 'flows' } },
    env: { SECRET_DB: 'aGlkZGVuLXZhbHVl', PASSWORD: 'hidden-value' },
  });
  let port: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    port = await listen(shared().product);
  });
  afterAll(() => port.close());

  it('counts under the names that boards know, and under a prefix of ones own', async () => {
    const server = shared();
    await server.saveFlow(aFlow('counted'));
    await server.run('counted');
    const { body, headers } = await port.ask('/prometheus');
    expect(headers.get('content-type')).toContain('text/plain');
    for (const prefix of ['flows', 'kestra']) {
      const flow = 'namespace_id="company.team",flow_id="counted"';
      const lines = [
        `executor_execution_started_count_total{${flow}} 1`,
        `executor_execution_end_count_total{${flow},state="SUCCESS"} 1`,
        `executor_execution_duration_seconds_count{${flow},state="SUCCESS"} 1`,
        `executor_execution_duration_seconds_bucket{${flow},state="SUCCESS",le="+Inf"} 1`,
        `executor_execution_duration_seconds_bucket{${flow},state="SUCCESS",le="86400"} 1`,
        `executor_taskrun_ended_count_total{${flow},state="SUCCESS"} 1`,
        `executor_taskrun_ended_duration_seconds_count{${flow},state="SUCCESS"} 1`,
      ];
      for (const line of lines) expect(body.split('\n')).toContain(`${prefix}_${line}`);
      expect(body).toContain(`# TYPE ${prefix}_executor_execution_duration_seconds histogram`);
      expect(body).toContain(`${prefix}_worker_job_thread`);
    }
    const { names } = (await port.ask('/metrics')).body;
    expect(names).toContain('flows_worker_job_running');
    expect((await port.ask('/metrics/flows_executor_execution_end_count_total')).body).toMatchObject({
      name: 'flows_executor_execution_end_count_total',
      measurements: [{ statistic: 'VALUE', value: 1 }],
    });
    expect((await port.ask('/metrics/nothing')).status).toBe(404);
  });

  it('changes the level of the log, for programs only', async () => {
    const change = (body: string, headers: Record<string, string>) =>
      port.ask('/loggers/ROOT', { method: 'POST', body, headers });
    const json = { 'content-type': 'application/json' };
    expect((await port.ask('/loggers')).body.loggers.ROOT.effectiveLevel).toBe('INFO');
    expect((await change('{"configuredLevel":"DEBUG"}', json)).status).toBe(200);
    expect((await port.ask('/loggers/ROOT')).body.configuredLevel).toBe('DEBUG');
    expect((await change('{"configuredLevel":"LOUD"}', json)).status).toBe(422);
    expect((await change('{"configuredLevel":"WARN"}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await change('{"configuredLevel":"WARN"}', { ...json, origin: 'http://evil.test' })).status).toBe(
      415,
    );
    expect((await change(`"${'x'.repeat(10_000)}"`, json)).status).toBe(413);
    expect((await port.ask('/loggers/ROOT')).body.configuredLevel).toBe('DEBUG');
  });

  it('[A47] shows neither the environment nor the configuration nor a stack', async () => {
    for (const path of [
      '/env',
      '/beans',
      '/routes',
      '/threaddump',
      '/configprops',
      '/health/..%2fenv',
      '//env',
    ]) {
      expect([path, (await port.ask(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/info', '/version', '/health', '/prometheus', '/loggers', '/worker', '/scheduler']) {
      const { status, body } = await port.ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.stringify(body)).not.toMatch(/hidden-value|aGlkZGVuLXZhbHVl|at .*\.ts:/);
    }
    expect((await port.ask('/version')).body).toMatchObject({
      version: expect.stringMatching(/^\d.*-oss$/),
      type: 'STANDALONE',
    });
    expect((await port.ask('/health', { method: 'DELETE' })).status).toBe(405);
    // The product's port serves none of these paths.
    for (const path of ['/prometheus', '/metrics', '/loggers', '/worker', '/env']) {
      expect([path, (await shared().app.inject(path)).statusCode]).toEqual([path, 404]);
    }
  });

  it('[A7] is not to be reached under a foreign name that points here', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(`${port.url}/health`, { headers: { host: 'evil.test' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });

  it('[A1] asks for the credentials of the product as soon as there are some, except for probes and metrics', async () => {
    const auth = { username: 'ada', password: 'secret-1' };
    const server = await aServer(sqlite, { settings: { auth }, clock: () => 1_000_000_000_000 });
    const guarded = await listen(server.product);
    const open = new Set([
      'GET /health',
      'GET /health/liveness',
      'GET /healthz',
      'GET /health/readiness',
      'GET /readyz',
      'GET /version',
      'GET /prometheus',
      'GET /metrics',
      'GET /metrics/ROOT',
    ]);
    const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    const paths = new Set(managementRoutes.map(({ path, isNamed }) => (isNamed ? `${path}/ROOT` : path)));
    const mutations = [
      (path: string) => path,
      (path: string) => `${path}/`,
      (path: string) => `/${path}`,
      (path: string) => `${path}?x=/health`,
      (path: string) => `${path}/health`,
      (path: string) => `/health/..${path}`,
      (path: string) => `/health/%2e%2e${path}`,
      (path: string) => path.toUpperCase(),
    ];
    const answers: [string, number][] = [];
    for (const path of [...paths, '/env', '/nothing'])
      for (const mutate of mutations)
        for (const method of verbs) {
          const { status } = await guarded.ask(mutate(path), { method });
          // The client resolves dots before it sends the request.
          const asked = new URL(guarded.url + mutate(path)).pathname.replace(
            /^\/metrics\/.+/,
            '/metrics/ROOT',
          );
          answers.push([`${method === 'HEAD' ? 'GET' : method} ${asked}`, status]);
        }
    const opened = answers.filter(([, status]) => status !== 401).map(([name]) => name);
    expect([...new Set(opened)].sort()).toEqual([...open].sort());
    const change = (authorization: string) =>
      guarded.ask('/loggers/ROOT', {
        method: 'POST',
        body: '{"configuredLevel":"DEBUG"}',
        headers: { 'content-type': 'application/json', authorization },
      });
    expect((await change(`Basic ${btoa('ada:secret-1')}`)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => (await change(`Basic ${btoa(`ada:guess ${n}`)}`)).status),
    );
    expect([guesses.filter((status) => status === 401).length, guesses.includes(429)]).toEqual([5, true]);
    expect((await change(`Basic ${btoa('ada:secret-1')}`)).status).toBe(200);
    await guarded.close();
  }, 180_000);

  it('can have separate credentials', async () => {
    const server = await aServer(sqlite, {
      settings: { management: { username: 'watch', password: 'dog-dog-dog' } },
    });
    const guarded = await listen(server.product);
    const ask = (pair?: string) =>
      guarded.ask('/health', pair ? { headers: { authorization: `Basic ${btoa(pair)}` } } : {});
    expect((await ask()).status).toBe(401);
    expect((await ask('watch:cat-cat-cat')).status).toBe(401);
    expect((await ask('watch:dog-dog-dog')).status).toBe(200);
    await guarded.close();
  });
});
