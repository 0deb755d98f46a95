import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../openStore.ts';
import { Conflict, type Store, type StoreChange } from '../port/store.ts';
import {
  aFlow,
  aLog,
  anExecution,
  aTaskRun,
  createTestDatabase,
  insert,
  moved,
  type PostgresServer,
  startPostgres,
  update,
} from '../suite/index.ts';
import { payloadsOf } from './notifications.ts';

describe('several processes on one PostgreSQL database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let [here, there]: [Store, Store] = [undefined as never, undefined as never];
  beforeAll(async () => {
    database = await createTestDatabase();
    const config = { kind: 'postgres', url: database.url } as const;
    [here, there] = [await openStore(config), await openStore(config)];
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });

  it('know which log entries may still appear', async () => {
    const frontier = () => here.logFrontier?.() ?? Promise.reject(new Error('There is no frontier.'));
    const [early, late] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([early.connect(), late.connect()]);
    const write = (client: pg.Client) =>
      client.query(
        `INSERT INTO logs (tenant_id, namespace, flow_id, execution_id, at, level, message, search)
         VALUES ('main', 'n', 'f', 'e', 1, 1, 'm', 'm') RETURNING id`,
      );
    await early.query('BEGIN');
    const first = Number((await write(early)).rows[0].id);
    const second = Number((await write(late)).rows[0].id);
    const open = await frontier();
    expect(second).toBeGreaterThan(first);
    expect(open.lastId).toBe(second);
    expect((await frontier()).oldestOpen).toBeLessThan(open.next);
    await early.query('COMMIT');
    // Transactions of other databases on the same server count too.
    await expect.poll(async () => (await frontier()).oldestOpen).toBeGreaterThanOrEqual(open.next);
    expect((await here.listLogs({ executionId: 'e' })).map(({ id }) => id)).toEqual([first, second]);
    await Promise.all([early.end(), late.end()]);
  });

  it('are notified of each other’s changes, and of their own exactly once', async () => {
    const heard: Record<'here' | 'there', StoreChange[]> = { here: [], there: [] };
    const stops = [
      here.onChange((change) => heard.here.push(change)),
      there.onChange((change) => heard.there.push(change)),
    ];
    const [mine, theirs, flow] = [anExecution(), anExecution(), aFlow()];
    await here.commit([
      insert(mine),
      { op: 'log.insert', log: aLog({ executionId: mine.id }) },
      { op: 'flow.insert', flow, expectRevision: 0 },
    ]);
    await expect.poll(() => heard.there).toHaveLength(1);
    expect(heard.there[0]).toEqual({
      executionIds: [mine.id],
      logExecutionIds: [mine.id],
      isElsewhere: true,
      flows: [{ namespace: flow.namespace, id: flow.id }],
      templates: [],
    });
    await there.commit([insert(theirs)]);
    await expect
      .poll(() => heard.here.flatMap((change) => change.executionIds))
      .toEqual([mine.id, theirs.id]);
    for (const stop of stops) stop();
  });

  it('let one of two owners of a version win', async () => {
    const execution = anExecution();
    await here.commit([insert(execution)]);
    const running = moved(execution, 'RUNNING');
    const results = await Promise.allSettled(
      [here, there, here, there].map((store) => store.commit([update(execution, running, 1)])),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Conflict);
  });

  it('[A35] accept one result of an attempt that no worker has started, from any worker and however often', async () => {
    const execution = anExecution();
    const state = (current: 'CREATED' | 'SUCCESS') => ({ current, histories: [{ state: current, date: 1 }] });
    const waiting = aTaskRun(execution.id, { state: state('CREATED') });
    await here.commit([insert(execution), { op: 'taskRun.put', taskRun: waiting }]);
    const attempt = { executionId: execution.id, taskRunId: waiting.id, attempt: 0 };
    const id = `${waiting.id}/0`;
    const message = { id, executionId: execution.id, content: { kind: 'facts', events: [] } } as const;
    const answer = (store: Store) =>
      store.commit([
        { op: 'attempt.want', attempt },
        { op: 'message.put', message },
      ]);
    const refused = (answered: Promise<void>) => expect(answered).rejects.toBeInstanceOf(Conflict);
    const results = await Promise.allSettled([here, there, here, there].map(answer));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    // The message is taken in the same commit as its effects: a late response finds neither message nor
    // waiting task run.
    await here.commit([
      { op: 'taskRun.put', taskRun: { ...waiting, state: state('SUCCESS') } },
      { op: 'message.take', id, executionId: execution.id },
    ]);
    await refused(answer(there));
    await here.commit([{ op: 'taskRun.put', taskRun: waiting }]);
    await there.commit([{ op: 'attempt.begin', attempt, workerId: 'other' }]);
    await refused(answer(here));
    await there.commit([{ op: 'attempt.end', attempt }]);
    await answer(here);
    await refused(here.commit([{ op: 'attempt.want', attempt: { ...attempt, executionId: 'unknown' } }]));
  });

  it('free a forced concurrency slot when its execution ends again, also when a crash lost the release', async () => {
    const cluster = here.cluster!;
    const [flow, waiting] = [{ namespace: 'company.team', id: 'forced' }, anExecution({ flowId: 'forced' })];
    const failed = anExecution({ flowId: 'forced', state: 'FAILED' });
    await here.commit([insert(failed), insert(waiting)]);
    const isFree = () => there.cluster!.takeSlot(flow, waiting.id, { limit: 1, waits: true });
    const release = () => cluster.fillSlots(flow, 1, { executionId: failed.id, as: 'ended' });
    expect(await cluster.forceSlot(flow, failed.id)).toBe('new');
    // The release of the earlier end is late; the restart is not stored yet.
    expect([await release(), await isFree()]).toEqual([[], false]);
    const { closedAt: _, ...open } = moved(failed, 'RUNNING');
    await here.commit([update(failed, open, 1)]);
    expect([await release(), await isFree()]).toEqual([[], false]);
    expect(await cluster.forceSlot(flow, failed.id)).toBe('held');
    await here.commit([update(open, moved(open, 'SUCCESS'), 2)]);
    expect((await there.cluster!.neglectedSlots(0)).flows).toContainEqual(flow);
    expect(await isFree()).toBe(true);
  });

  it('keep a slot that is forced before it was released, and free it when the change is refused', async () => {
    const cluster = here.cluster!;
    const flow = { namespace: 'company.team', id: 'refused' };
    const running = anExecution({ flowId: 'refused', state: 'RUNNING' });
    await here.commit([insert(running)]);
    expect(await cluster.takeSlot(flow, running.id, { limit: 1, waits: true })).toBe(true);
    await here.commit([update(running, moved(running, 'FAILED'), 1)]);
    expect(await cluster.forceSlot(flow, running.id)).toBe('new');
    const isFree = () => cluster.takeSlot(flow, 'other', { limit: 1, waits: false });
    await cluster.fillSlots(flow, 1, { executionId: running.id, as: 'ended' });
    expect(await isFree()).toBe(false);
    await cluster.fillSlots(flow, 1, { executionId: running.id, as: 'refused' });
    expect(await isFree()).toBe(true);
  });

  it('write what changed meanwhile even when this process thinks it is stored', async () => {
    const execution = anExecution({ labels: [{ key: 'a', value: '1' }] });
    await here.commit([insert(execution)]);
    const changed = { ...execution, labels: [{ key: 'a', value: '2' }] };
    await there.commit([update(execution, changed, 1)]);
    await here.commit([update(changed, execution, 2)]);
    expect((await there.getExecution(execution.id))?.execution).toEqual(execution);
  });
});

describe('a PostgreSQL server that goes away', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openStore({ kind: 'postgres', url: server.url });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it('is found again after a restart, for commits, reads and changes of others', {
    timeout: 60_000,
  }, async () => {
    const before = anExecution();
    await store.commit([insert(before)]);
    await server.restart();
    const after = anExecution();
    await store.commit([insert(after)]);
    expect(await store.getExecution(before.id)).toBeDefined();
    expect(await store.getExecution(after.id)).toBeDefined();
    const other = await openStore({ kind: 'postgres', url: server.url });
    const heard: string[] = [];
    store.onChange((change) => heard.push(...change.executionIds));
    await expect
      .poll(
        async () => {
          await other.commit([insert(anExecution())]);
          return heard.length;
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    await other.close();
  });

  it('leaves no doubt about a commit under way: acknowledged and there, or refused', {
    timeout: 60_000,
  }, async () => {
    const executions = Array.from({ length: 400 }, () => anExecution());
    const commits = executions.map((execution) => store.commit([insert(execution)]));
    const settled = Promise.allSettled(commits);
    await commits[0];
    await breakConnections(server.url);
    const results = await settled;
    for (const [index, result] of results.entries()) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unavailable' });
      else expect(await store.getExecution(executions[index]?.id ?? '')).toBeDefined();
    }
    await store.commit([insert(anExecution())]);
  });
});

async function breakConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'millrace'",
  );
  await client.end();
}

describe('notices', () => {
  const change = (executionIds: string[]): StoreChange => ({
    executionIds,
    logExecutionIds: [],
    flows: [],
    templates: [],
  });

  it('name each id once and fit into what PostgreSQL accepts', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `execution-ä-${index}`);
    const payloads = payloadsOf('me', [change(ids), change(ids)]);
    expect(payloads.every((payload) => Buffer.byteLength(payload) < 8_000)).toBe(true);
    expect(payloads.flatMap((payload) => JSON.parse(payload).e)).toEqual(ids);
  });

  it('leave out an id that can fit nowhere, and are none when there is nothing to tell', () => {
    expect(payloadsOf('me', [change(['x'.repeat(9_000)])])).toEqual([]);
    expect(payloadsOf('me', [])).toEqual([]);
  });
});

describe('a PostgreSQL database of another program', () => {
  it('is refused and stays as it is', async () => {
    const database = await createTestDatabase();
    await database.query('CREATE TABLE executions (key text)');
    await expect(openStore({ kind: 'postgres', url: database.url })).rejects.toMatchObject({
      message: expect.stringContaining('already has tables of another program'),
    });
    expect(await database.query("SELECT to_regclass('schema_version') AS found")).toEqual([{ found: null }]);
    await database.drop();
  });
});

describe('a PostgreSQL database that a newer release has migrated', () => {
  it('fences the servers of this release: they write nothing more and log why', async () => {
    const database = await createTestDatabase();
    const config = { kind: 'postgres', url: database.url } as const;
    const fatal: string[] = [];
    const onFatal = (error: Error) => fatal.push(error.message);
    const [writing, idle] = [await openStore(config, { onFatal }), await openStore(config, { onFatal })];
    const self = { id: 'idle', roles: [], startedAt: 0, poolIds: [] };
    await writing.commit([insert(anExecution())]);
    await idle.cluster?.beat(self);
    await database.query('INSERT INTO schema_version (version, applied_at) VALUES (99, 0)');
    const late = anExecution();
    const refused = {
      code: 'unavailable',
      message: expect.stringMatching(
        /^A newer release of Millrace has migrated the database to schema 99, but this server knows/,
      ),
    };
    await expect(writing.commit([insert(late)])).rejects.toMatchObject(refused);
    await expect(writing.commit([insert(anExecution())])).rejects.toMatchObject(refused);
    expect(fatal).toHaveLength(1);
    await expect(idle.cluster?.beat(self)).rejects.toMatchObject(refused);
    expect(fatal).toEqual([fatal[0], fatal[0]]);
    expect(await database.query('SELECT id FROM executions WHERE id = $1', [late.id])).toEqual([]);
    await Promise.all([writing.close(), idle.close()]);
    await database.drop();
  });
});
