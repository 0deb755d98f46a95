import { createTestDatabase } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aServer, form, stateOf, type TestServer, taskRunsOf } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';
import { readInstanceHealth } from './readHealth.ts';
import { forecast, type Sample } from './sampler.ts';
import { SlowQueryReports } from './slowQueryReports.ts';

const log = 'tasks:\n  - {id: a, type: core.log.Log, message: hi}\n';
const wait = (door: string) => `tasks:\n  - {id: wait, type: test.Door, door: "${door}"}\n`;
const json = (payload: unknown) => ({ payload: payload as object });
const idOf = ({ product }: TestServer) => product.membership?.id ?? product.instanceId;

interface Shown {
  id: string;
  state: string;
  isSelf: boolean;
  worker?: { running: number; waiting: number; tasks: { taskId: string; flowId: string }[] };
}
const serversOf = async (server: TestServer) =>
  (await server.call('GET', '/instance/servers')).body.results as Shown[];
const actionsOf = async (server: TestServer) =>
  ((await server.call('GET', '/instance/actions')).body.results as { action: string }[]).map(
    ({ action }) => action,
  );

describe.each(databases)('the instance on $name', (database) => {
  it('O-10.9 starts no executions during maintenance, lets running ones finish if asked to, and continues afterwards', async () => {
    const server = await aServer(database);
    const door = `maintenance ${database.name}`;
    await server.saveFlow(aFlow('limited', `concurrency: {limit: 1}\n${wait(door)}`));
    await server.saveFlow(
      aFlow(
        'hooked',
        `${log}triggers:\n  - {id: hook, type: core.trigger.Webhook, key: a-long-webhook-key}\n`,
      ),
    );
    await server.saveFlow(
      aFlow(
        'follower',
        `${log}triggers:\n  - id: after\n    type: core.trigger.Flow\n    conditions:\n      - {type: core.condition.ExecutionFlow, namespace: company.team, flowId: limited}\n`,
      ),
    );
    const running = await server.start('limited');
    const queued = await server.start('limited');
    await server.waitForState(queued.id, 'QUEUED');
    await expect.poll(() => arrivals(door)).toBe(1);

    const mode = { message: 'Database upgrade', finishRunning: true };
    const started = await server.call('PUT', '/instance/maintenance', json(mode));
    expect(started.body).toMatchObject({ isActive: true, message: 'Database upgrade', areTasksHeld: false });
    const refused = await server.call('POST', '/executions/company.team/limited', form({}));
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      503,
      'maintenance',
      expect.stringContaining('Database upgrade'),
    ]);
    const hook = '/executions/webhook/company.team/hooked/a-long-webhook-key';
    expect((await server.call('POST', hook)).body.code).toBe('maintenance');
    expect((await server.call('POST', `/executions/${queued.id}/force-run`)).body.code).toBe('maintenance');

    await server.reopen();
    expect((await server.call('GET', '/instance/maintenance')).body).toMatchObject({ isActive: true });
    await expect.poll(() => arrivals(door)).toBe(2);
    openDoor(door);
    await server.waitForState(running.id, 'SUCCESS');
    expect(stateOf(await server.read(queued.id))).toBe('QUEUED');
    const followers = async () =>
      (await server.call('GET', '/executions?namespace=company.team&flowId=follower')).body.total;
    expect(await followers()).toBe(0);

    await server.call('PUT', '/instance/maintenance', json({ message: '', allowManual: true }));
    expect((await server.call('POST', '/executions/company.team/hooked', form({}))).status).toBe(200);
    expect((await server.call('POST', hook)).status).toBe(503);

    expect((await server.call('DELETE', '/instance/maintenance')).body).toEqual({ isActive: false });
    await server.waitForState(queued.id, 'SUCCESS');
    await expect.poll(followers, { timeout: 10_000 }).toBe(2);
    expect(await actionsOf(server)).toEqual(['maintenance.end', 'maintenance.start', 'maintenance.start']);
  });

  it('during maintenance running tasks finish and no other task starts, also over a restart', async () => {
    const server = await aServer(database);
    const door = `held ${database.name}`;
    await server.saveFlow(
      aFlow('steps', `${wait(door)}  - {id: next, type: core.debug.Return, format: done}\n`),
    );
    const { id } = await server.start('steps');
    await expect.poll(() => arrivals(door)).toBe(1);
    const started = await server.call('PUT', '/instance/maintenance', json({}));
    expect(started.body).toMatchObject({ isActive: true, areTasksHeld: true });
    openDoor(door);
    const states = async () => taskRunsOf(await server.read(id)).map((run) => [run.taskId, stateOf(run)]);
    const held = [
      ['wait', 'SUCCESS'],
      ['next', 'CREATED'],
    ];
    await expect.poll(states).toEqual(held);
    const reasons = async () => (await server.call('GET', `/executions/${id}/waiting`)).body;
    expect(await reasons()).toEqual([
      expect.objectContaining({ kind: 'worker', taskId: 'next', isMaintenance: true }),
    ]);
    await server.reopen();
    await expect
      .poll(async () => (await serversOf(server)).find(({ isSelf }) => isSelf)?.worker)
      .toMatchObject({ running: 0, waiting: 1 });
    expect(await states()).toEqual(held);
    await server.call('DELETE', '/instance/maintenance');
    await server.waitForState(id, 'SUCCESS');
  });

  it('O-10.7 a drained worker takes no new tasks, finishes the running one, and stays drained over a restart', async () => {
    const server = await aServer(database);
    const door = `drain ${database.name}`;
    await server.saveFlow(aFlow('waiting', wait(door)));
    await server.start('waiting');
    await expect.poll(() => arrivals(door)).toBe(1);
    expect((await serversOf(server))[0]?.worker).toMatchObject({
      running: 1,
      tasks: [{ taskId: 'wait', flowId: 'waiting' }],
    });
    const drained = await server.call('POST', `/instance/servers/${idOf(server)}/drain`);
    expect([drained.status, drained.body.state]).toEqual([200, 'DRAINING']);
    const later = await server.start('waiting');
    openDoor(door);
    await expect
      .poll(async () => (await serversOf(server))[0]?.worker)
      .toMatchObject({ running: 0, waiting: 1 });
    expect(arrivals(door)).toBe(1);
    await server.reopen();
    const selfOf = async () => (await serversOf(server)).find(({ isSelf }) => isSelf);
    await expect.poll(selfOf).toMatchObject({ state: 'DRAINING', worker: { running: 0, waiting: 1 } });
    const self = await selfOf();
    await server.call('POST', `/instance/servers/${self?.id}/resume`);
    await server.waitForState(later.id, 'SUCCESS');
    expect((await server.call('POST', '/instance/servers/nobody/drain')).status).toBe(404);
    expect(await actionsOf(server)).toEqual(['worker.resume', 'worker.drain']);
  });

  it('O-10.6 O-10.8 a paused scheduler starts nothing until it is resumed, and the log level is shared', async () => {
    const server = await aServer(database, { settings: { log: { level: 'error' } } });
    await server.call('POST', '/instance/scheduler/pause');
    await server.saveFlow(
      aFlow(
        'often',
        `${log}triggers:\n  - {id: each, type: core.trigger.Schedule, cron: "* * * * * *", withSeconds: true}\n`,
      ),
    );
    const paused = await server.call('GET', '/instance/scheduler');
    expect(paused.body).toMatchObject({ paused: { at: expect.any(String) }, next: [{ triggerId: 'each' }] });
    await expect
      .poll(async () => (await server.call('GET', '/instance/scheduler')).body.overdue, { timeout: 5_000 })
      .toBe(1);
    const started = async () =>
      (await server.call('GET', '/executions?namespace=company.team&flowId=often')).body.total;
    expect(await started()).toBe(0);
    await server.call('POST', '/instance/scheduler/resume');
    await expect.poll(started, { timeout: 10_000 }).not.toBe(0);

    // Each subject writes lines at the level debug: the switch shows something.
    const debug = vi.spyOn(server.product.log, 'debug');
    await server.call('PUT', '/instance/log-level', json({ level: 'debug' }));
    for (const message of ['A schedule was', 'A request was', 'A step of', 'An attempt ended'])
      await expect
        .poll(() => debug.mock.calls.some(([line]) => line.startsWith(message)), { timeout: 10_000 })
        .toBe(true);
    await server.call('PUT', '/instance/log-level', json({ level: 'warn' }));
    expect((await server.call('GET', '/instance/log-level')).body).toMatchObject({ level: 'warn' });
    await server.call('PUT', '/instance/log-level', json({ level: null }));
    expect((await server.call('GET', '/instance/log-level')).body).not.toHaveProperty('level');
    expect((await server.call('PUT', '/instance/log-level', json({ level: 'loud' }))).status).toBe(422);
  });

  it('O-10.3 O-10.4 tells about queues, health, retention and slow statements without values', async () => {
    const server = await aServer(database);
    const door = `facts ${database.name}`;
    await server.saveFlow(aFlow('limited', `concurrency: {limit: 1}\n${wait(door)}`));
    await server.start('limited');
    const queued = await server.start('limited');
    await server.waitForState(queued.id, 'QUEUED');
    expect((await server.call('GET', '/instance/queues')).body).toMatchObject({
      limits: [{ flowId: 'limited', waiting: 1, limit: 1, oldestAt: expect.any(String) }],
      commands: { waiting: 0 },
    });
    await server.product.sampler.sample();
    expect((await server.call('GET', '/instance/health')).body).toMatchObject({
      database: {
        status: 'UP',
        kind: database.name,
        sizeBytes: expect.any(Number),
        migration: expect.any(Number),
      },
      storage: { status: 'UP', sizeBytes: expect.any(Number) },
      forecast: { samples: [{ usedBytes: expect.any(Number) }] },
    });
    await server.product.janitor.runRound();
    expect((await server.call('GET', '/instance/retention')).body).toMatchObject({
      enabled: true,
      rules: [{ expired: 0 }],
      lastRun: { executions: 0 },
    });
    const { results } = (await server.call('GET', '/instance/slow-queries')).body as {
      results: { statement: string }[];
    };
    expect(results.every(({ statement }) => !statement.includes('company.team'))).toBe(true);
    openDoor(door);
    await server.waitForState(queued.id, 'SUCCESS');
  });

  it('shows the slow statements and the disks of all servers', async () => {
    const { product } = await aServer(database);
    const { store, log } = product;
    const aServerWith = (serverId: string, maxMs: number) =>
      new SlowQueryReports({
        store: {
          ...store,
          slowQueries: () => [{ statement: 'SELECT ?', count: 2, maxMs, totalMs: maxMs, lastAt: 1 }],
        },
        ...{ log, clock: Date.now, serverId, isShared: true },
      });
    const [one, other] = [aServerWith('one', 20), aServerWith('other', 40)];
    await other.report();
    expect((await one.list()).map(({ server, maxMs }) => [server, maxMs])).toEqual([
      ['other', 40],
      ['one', 20],
    ]);

    const at = Date.now() - 1_000;
    const data = { at, freeBytes: 10, totalBytes: 100 };
    await store.commit([
      { op: 'document.put', document: { kind: 'instance.sample', id: 'far/1', parent: 'far', at, data } },
    ]);
    // `as`: only the host of a member is read.
    const membership = { active: [{ status: { host: 'far' } }] } as unknown as NonNullable<
      typeof product.membership
    >;
    expect((await readInstanceHealth({ ...product, membership })).otherDisks).toMatchObject([
      { host: 'far', freeBytes: 10, totalBytes: 100, forecast: { samples: [{ usedBytes: 90 }] } },
    ]);
  });
});

it('servers on one database share maintenance, and tasks of a drained one run on another', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const settings = { cluster: { heartbeatMs: 100, deadAfterMs: 2_000 } };
  const first = await aServer(sqlite, { databaseUrl: database.url, settings });
  const second = await aServer(sqlite, { databaseUrl: database.url, settings });
  await expect.poll(async () => (await serversOf(first)).length).toBe(2);
  await first.call('PUT', '/instance/maintenance', json({ message: 'Both' }));
  await expect
    .poll(async () => (await second.call('GET', '/instance/maintenance')).body)
    .toMatchObject({ isActive: true, message: 'Both' });
  await second.call('DELETE', '/instance/maintenance');
  await expect
    .poll(async () => (await first.call('GET', '/instance/maintenance')).body)
    .toMatchObject({ isActive: false });

  // From the other server: only the database connects them.
  await second.call('POST', `/instance/servers/${idOf(first)}/drain`);
  await expect
    .poll(async () => (await serversOf(first)).find(({ isSelf }) => isSelf)?.state)
    .toBe('DRAINING');
  await expect.poll(() => first.product.membership?.hasWorkers(undefined)).toBe(true);
  await first.saveFlow(aFlow('elsewhere', wait('drained elsewhere')));
  const started = await first.start('elsewhere');
  await expect.poll(() => arrivals('drained elsewhere'), { timeout: 20_000 }).toBe(1);
  expect(first.product.workers().reduce((sum, worker) => sum + worker.runningCount, 0)).toBe(0);
  expect(second.product.workers().reduce((sum, worker) => sum + worker.runningCount, 0)).toBe(1);
  openDoor('drained elsewhere');
  await first.waitForState(started.id, 'SUCCESS');
}, 90_000);

it('workers of other servers start no task during maintenance, and resume afterwards', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const cluster = { heartbeatMs: 100, deadAfterMs: 2_000 };
  const start = (...roles: string[]) =>
    aServer(sqlite, { databaseUrl: database.url, settings: { cluster, server: { roles } } });
  const [first, worker] = [await start('api', 'executor'), await start('worker')];
  await expect.poll(() => first.product.membership?.hasWorkers(undefined)).toBe(true);
  const door = 'held elsewhere';
  await first.saveFlow(
    aFlow('steps', `${wait(door)}  - {id: next, type: core.debug.Return, format: done}\n`),
  );
  const { id } = await first.start('steps');
  await expect.poll(() => arrivals(door), { timeout: 20_000 }).toBe(1);
  await first.call('PUT', '/instance/maintenance', json({}));
  await expect.poll(() => worker.product.controls.areTasksHeld).toBe(true);
  openDoor(door);
  const states = async () => taskRunsOf(await first.read(id)).map(stateOf);
  await expect.poll(states).toEqual(['SUCCESS', 'CREATED']);
  await first.call('DELETE', '/instance/maintenance');
  await first.waitForState(id, 'SUCCESS');
}, 90_000);

it('O-10.5 forecasts when the disk is full from the growth of the samples', () => {
  const hour = 3_600_000;
  const samples = (hours: number, growth: number): Sample[] =>
    Array.from({ length: hours }, (_, index) => ({
      at: index * hour,
      freeBytes: 1_000 - index * growth,
      totalBytes: 2_000,
    }));
  expect(forecast(samples(3, 10), 3 * hour)).not.toHaveProperty('growthBytesPerDay');
  const growing = forecast(samples(25, 10), 24 * hour);
  expect(growing.growthBytesPerDay).toBeCloseTo(240);
  expect(growing.fullAt).toBe(new Date(24 * hour + 76 * hour).toISOString());
  expect(forecast(samples(25, 0), 24 * hour)).not.toHaveProperty('fullAt');
  expect(forecast(samples(700, 1), 700 * hour).samples.length).toBeLessThanOrEqual(60);
});
