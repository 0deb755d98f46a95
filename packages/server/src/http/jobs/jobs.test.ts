import { bulkExecutions, bulkFlows, type Endpoint, templates } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, aServer, sharedServer, type TestServer, yaml } from '../../testing/aServer.ts';
import { breakable } from '../../testing/breakable.ts';
import { databases, sqlite } from '../../testing/databases.ts';
import { severalServers } from '../../testing/severalServers.ts';
import { type JobCall, jobKinds, openParent } from './jobRecord.ts';
import { Jobs } from './jobs.ts';

const asJob = { 'content-type': 'application/json', prefer: 'respond-async, wait=0' };

describe.each(databases)('long calls as jobs on $name', (database) => {
  const shared = sharedServer(database);
  const start = async (method: 'POST' | 'DELETE', path: string, payload?: unknown) => {
    const sent = await shared().call(method, path, {
      headers: asJob,
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    expect([sent.status, sent.headers['preference-applied']]).toEqual([202, 'respond-async']);
    expect(sent.headers.location).toBe(`/api/v1/jobs/${sent.body.id}`);
    const read = async () => (await shared().call('GET', `/jobs/${sent.body.id}`)).body;
    await expect.poll(async () => (await read()).state).toBe('ENDED');
    return await read();
  };
  const executionsOf = async (count: number) => {
    const id = anId();
    await shared().saveFlow(aFlow(id));
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push((await shared().run(id)).id);
    return { id, ids };
  };

  it('actions on executions, by ids and by query, report progress and the usual response', async () => {
    const { id, ids } = await executionsOf(3);
    const replayed = await start('POST', '/executions/replay/by-ids', ids);
    expect(replayed).toMatchObject({ done: 3, total: 3, response: { status: 200, body: { count: 3 } } });
    const deleted = await start('DELETE', `/executions/by-query?flowId=${id}&includeNonTerminated=true`);
    expect(deleted).toMatchObject({ done: 6, total: 6, response: { body: { count: 6, totalItems: 6 } } });
  });

  it('a refusal is the response of the job', async () => {
    const { ids } = await executionsOf(1);
    const refused = await start('POST', '/executions/restart/by-ids', ids);
    expect(refused.response).toMatchObject({ status: 400, body: { message: 'invalid bulk restart' } });
  });

  it('actions on flows, triggers, templates and logs are jobs too', async () => {
    const [a, b] = [anId(), anId()];
    const schedule = 'triggers:\n  - id: t\n    type: core.trigger.Schedule\n    cron: "0 0 * * *"\n';
    for (const id of [a, b]) await shared().saveFlow(aFlow(id, schedule));
    const keys = [a, b].map((id) => ({ namespace: 'company.team', id }));
    const disabled = await start('POST', '/flows/disable/by-ids', keys);
    expect(disabled).toMatchObject({ done: 2, total: 2, response: { body: { count: 2 } } });
    const triggers = [a, b].map((flowId) => ({ namespace: 'company.team', flowId, triggerId: 't' }));
    const off = await start('POST', '/triggers/set-disabled/by-triggers', { triggers, disabled: true });
    expect(off).toMatchObject({ done: 2, total: 2, response: { status: 200 } });
    expect(await start('DELETE', `/logs/company.team/${a}`)).toMatchObject({ state: 'ENDED' });
    expect((await start('DELETE', '/flows/delete/by-ids', keys)).response).toMatchObject({
      body: { count: 2 },
    });
  });

  it('a call that ends at once, or does not ask for a job, gets its usual response', async () => {
    const { ids } = await executionsOf(1);
    const body = { payload: JSON.stringify(ids) };
    const plain = { headers: { 'content-type': 'application/json' }, ...body };
    expect((await shared().call('POST', '/executions/replay/by-ids', plain)).body).toEqual({
      count: 1,
      totalItems: 1,
    });
    const source = aFlow(anId());
    const quick = await shared().call('POST', '/flows', {
      ...yaml(source),
      headers: { ...yaml(source).headers, prefer: 'respond-async' },
    });
    expect([200, 202]).toContain(quick.status);
    expect((await shared().call('GET', '/jobs/unknown')).status).toBe(404);
  });
});

/** The documents of a job whose server was killed before it recorded any progress. */
async function leaveJob(
  { product: { store, clock } }: TestServer,
  id: string,
  call: {
    readonly endpoint: Endpoint;
    readonly items: unknown[];
    readonly losses?: number;
    readonly caller?: Partial<JobCall['caller']>;
  },
) {
  const { endpoint, items, losses = 0, caller } = call;
  const { method, path } = endpoint;
  const started = clock();
  const data: JobCall = {
    method,
    path,
    params: {},
    query: {},
    body: items,
    url: `/api/v1${path}`,
    caller: { isWeb: true, ...caller },
    items,
  };
  const record = { state: 'RUNNING', startedAt: started, updatedAt: started, done: 0, count: 0 };
  await store.commit([
    { op: 'document.put', document: { kind: jobKinds.call, id, at: started, data } },
    {
      op: 'document.put',
      document: {
        kind: jobKinds.job,
        id,
        parent: openParent,
        at: started,
        data: { ...record, total: items.length, server: 'killed', losses, updatedAt: started - 60_000 },
      },
    },
  ]);
}

const whenEnded = async (server: TestServer, id: string) => {
  await server.app.jobs?.resumeStopped();
  const read = async () => (await server.call('GET', `/jobs/${id}`)).body;
  await expect.poll(async () => (await read()).state).toBe('ENDED');
  return read();
};

describe.each(databases)('a job whose server stopped, on $name', (database) => {
  const shared = sharedServer(database, { definitions: [breakable] });
  const executionsOf = async (count: number, tasks = '') => {
    const id = anId();
    await shared().saveFlow(aFlow(id, tasks));
    const runs = await Promise.all(Array.from({ length: count }, () => shared().run(id)));
    return { id, ids: runs.map((run) => run.id) };
  };
  /** Leaves the job twice: the second time everything is done and nothing of it is recorded. */
  const resumeTwice = async (call: Parameters<typeof leaveJob>[2]) => {
    const results: unknown[] = [];
    const id = anId();
    for (const _ of ['first', 'second']) {
      await leaveJob(shared(), id, call);
      results.push(await whenEnded(shared(), id));
    }
    return results;
  };
  it('continues: each execution is replayed once, whatever was recorded', async () => {
    const { id, ids } = await executionsOf(60);
    const body = { count: 60, totalItems: 60 };
    const results = await resumeTwice({ endpoint: bulkExecutions.replay.byIds, items: ids });
    for (const result of results) expect(result).toMatchObject({ done: 60, total: 60, response: { body } });
    const { body: found } = await shared().call('GET', `/executions/search?flowId=${id}&size=1`);
    expect(found.total).toBe(120);
    for (const each of ids)
      expect((await shared().read(each)).labels).toContainEqual({ key: 'system.replayed', value: 'true' });
  });

  it('continues: each execution is restarted once, although it fails again', async () => {
    const door = anId();
    const { ids } = await executionsOf(
      3,
      `tasks:\n  - id: ko\n    type: test.Breakable\n    name: ${door}\n`,
    );
    await resumeTwice({ endpoint: bulkExecutions.restart.byIds, items: ids });
    for (const each of ids) {
      await shared().waitForState(each, 'FAILED');
      const { body } = await shared().call('GET', `/executions/${each}/events?kind=restart`);
      const restarts = (body.results as { actor: object }[]).map(({ actor }) => actor);
      expect(restarts).toEqual([{ type: 'anonymous', via: 'web' }]);
    }
  });

  it('continues with deletions, of executions, flows and templates', async () => {
    const { id, ids } = await executionsOf(3);
    const items = [{ namespace: 'company.team', id }];
    await shared().call('POST', '/templates', yaml(`id: ${id}\nnamespace: company.team\ntasks: []\n`));
    const deleted = await resumeTwice({ endpoint: bulkExecutions.remove.byIds, items: ids });
    const disabled = await resumeTwice({ endpoint: bulkFlows.disableFlowsByIds, items });
    expect((await shared().call('GET', `/flows/company.team/${id}`)).body).toMatchObject({
      disabled: true,
      revision: 2,
    });
    const gone = await resumeTwice({ endpoint: bulkFlows.deleteFlowsByIds, items });
    const without = await resumeTwice({ endpoint: templates.deleteTemplatesByIds, items });
    for (const result of deleted)
      expect(result).toMatchObject({ done: 3, total: 3, response: { body: { count: 3 } } });
    for (const result of [...disabled, ...gone, ...without])
      expect(result).toMatchObject({ done: 1, total: 1, response: { body: { count: 1 } } });
    expect((await shared().call('GET', `/executions/search?flowId=${id}`)).body.total).toBe(0);
  });

  it('continues where it stopped after a restart, with the same id', async () => {
    const server = await aServer(database);
    const id = anId();
    await server.saveFlow(aFlow(id));
    const ids = (await Promise.all(Array.from({ length: 120 }, () => server.run(id)))).map((run) => run.id);
    const options = { headers: asJob, payload: JSON.stringify(ids) };
    const { body: job } = await server.call('POST', '/executions/replay/by-ids', options);
    await server.reopen();
    const jobId = String(job.id);
    expect(await whenEnded(server, jobId)).toMatchObject({ done: 120, response: { body: { count: 120 } } });
    const { body: found } = await server.call('GET', `/executions/search?flowId=${id}&size=1`);
    expect(found.total).toBe(240);
    expect(await server.product.store.getDocument(jobKinds.call, jobId)).toBeUndefined();
  });

  it('stops when its API token was revoked or its user removed, and the rest stays untouched', async () => {
    const server = await aServer(database);
    const { auth, store } = server.product;
    const id = anId();
    await server.saveFlow(aFlow(id));
    const items = [(await server.run(id)).id, (await server.run(id)).id];
    const [username, former] = ['ann@example.com', 'bob@example.com'];
    await auth.credentials.save({ username, password: 'Correct1horse' });
    const valid = await auth.tokens.create({ name: 'valid' }, username);
    const revoked = await auth.tokens.create({ name: 'revoked' }, username);
    await auth.tokens.revoke(revoked.id, username);
    const resumed = async (jobId: string, caller: Partial<JobCall['caller']>) => {
      await leaveJob(server, jobId, { endpoint: bulkExecutions.replay.byIds, items, caller });
      await server.app.jobs?.resumeStopped();
      await expect.poll(async () => (await server.app.jobs?.find(jobId))?.state).toBe('ENDED');
      const { length } = await store.matchStates([], 0, 100);
      return [(await server.app.jobs?.find(jobId))?.response, length];
    };
    const refusal = (reason: string) => ({
      status: 401,
      body: { message: `Unauthorized: ${reason}, so the rest of the job was not done` },
    });
    expect(await resumed('a', { username: former })).toMatchObject([
      refusal(`the user "${former}" no longer exists`),
      2,
    ]);
    expect(await resumed('b', { username, token: 'revoked', tokenId: revoked.id })).toMatchObject([
      refusal(`an API token of the user "${username}" was revoked or has expired`),
      2,
    ]);
    expect(await resumed('c', { username, token: 'valid', tokenId: valid.id })).toMatchObject([
      { status: 200, body: { count: 2 } },
      4,
    ]);
  });

  it('is given up when it took one server after the other down', async () => {
    const { ids } = await executionsOf(1);
    const id = anId();
    await leaveJob(shared(), id, { endpoint: bulkExecutions.replay.byIds, items: ids, losses: 5 });
    await shared().app.jobs?.resumeStopped();
    const { body } = await shared().call('GET', `/jobs/${id}`);
    expect(body).toMatchObject({ state: 'INTERRUPTED', done: 0, total: 1, atLeast: true });
  });
});

describe('servers that share a database', () => {
  const servers = severalServers({ definitions: [breakable] });

  it('resume a job once, also while the owner of an execution has its request', async () => {
    const first = await servers.start();
    const id = anId();
    await first.saveFlow(aFlow(id, `tasks:\n  - id: ko\n    type: test.Breakable\n    name: ${id}\n`));
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await first.run(id)).id);
    await leaveJob(first, 'j', { endpoint: bulkExecutions.restart.byIds, items: ids });
    const others = await Promise.all([servers.start(), servers.start()]);
    for (const server of [first, ...others])
      expect(await whenEnded(server, 'j')).toMatchObject({ done: 4, response: { body: { count: 4 } } });
    for (const each of ids) {
      const { body } = await first.call('GET', `/executions/${each}/events?kind=restart`);
      expect(body.results).toHaveLength(1);
    }
  });
});

describe('a call that cannot be resumed', () => {
  // The parts that a job reads.
  const request = {
    headers: { prefer: 'respond-async, wait=0' },
    params: {},
    query: {},
  } as unknown as FastifyRequest;
  const endpoint = bulkExecutions.replay.byIds;

  it('is interrupted when its server stops or is lost', async () => {
    const server = await aServer(sqlite);
    const jobs = new Jobs(server.product);
    let end: () => void = () => {};
    const work = async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return { status: 200, body: 'x' };
    };
    const job = await jobs.run(work, request, endpoint);
    expect(await jobs.find(job.id)).toMatchObject({ state: 'RUNNING', done: 0 });
    expect(await new Jobs(server.product).find(job.id)).toMatchObject({
      state: 'INTERRUPTED',
      atLeast: true,
    });
    end();
    await jobs.stop();
    expect(await new Jobs(server.product).find(job.id)).toMatchObject({
      state: 'ENDED',
      response: { status: 200, body: 'x' },
    });
  });
});
