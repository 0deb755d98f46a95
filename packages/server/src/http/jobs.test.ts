import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { actOnMany, type BulkAction } from '../actions/bulk.ts';
import { reportProgress } from '../actions/progress.ts';
import { replayExecution } from '../actions/replayExecution.ts';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, sharedServer, yaml } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
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

describe('a job', () => {
  const request = { headers: { prefer: 'respond-async, wait=0' } } as unknown as FastifyRequest; // All that a job reads of it.

  it('whose server stops is interrupted, and every server says how much is done', async () => {
    const server = await aServer(sqlite);
    const jobs = new Jobs(server.product);
    let goOn: () => void = () => {};
    const job = await jobs.run(async () => {
      reportProgress(3, 10);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      reportProgress(4, 10);
      return { status: 200 };
    }, request);
    expect(await jobs.find(job.id)).toMatchObject({ state: 'RUNNING', done: 3, total: 10 });
    expect(await new Jobs(server.product).find(job.id)).toMatchObject({ state: 'RUNNING' });
    const stopped = jobs.stop();
    goOn();
    await stopped;
    const read = await new Jobs(server.product).find(job.id);
    expect(read).toMatchObject({ state: 'INTERRUPTED', done: 4, total: 10 });
    expect(read?.response).toBeUndefined();
  });

  it('on executions that a restart interrupts says exactly which of them were not changed', async () => {
    const server = await aServer(sqlite);
    const id = anId();
    await server.saveFlow(aFlow(id));
    const ids = (await Promise.all(Array.from({ length: 60 }, () => server.run(id)))).map((run) => run.id);
    let stopping: () => void = () => {};
    const isStopping = new Promise<void>((resolve) => {
      stopping = resolve;
    });
    const replay: BulkAction = {
      refusal: '',
      problemOf: () => undefined,
      act: async (execution) => {
        // The first batch ends after the server has begun to stop.
        if (execution === ids[10]) await isStopping;
        await replayExecution(execution, {}, server.product);
      },
    };
    const jobs = server.app.jobs!;
    const job = await jobs.run(
      async () => ({ status: 200, body: await actOnMany({ ids }, replay, server.product) }),
      request,
    );
    const stopped = jobs.stop();
    stopping();
    await stopped;
    await server.reopen();
    const { body } = await server.call('GET', `/jobs/${job.id}`);
    expect(body).toMatchObject({ state: 'INTERRUPTED', done: 50, total: 60, remaining: ids.slice(50) });
    expect(body).not.toHaveProperty('atLeast');
    const { body: found } = await server.call('GET', `/executions/search?flowId=${id}&size=1`);
    expect(found.total).toBe(110);
  });

  it('whose server died without a word is interrupted once it gives no sign of life', async () => {
    let now = Date.now();
    const server = await aServer(sqlite);
    const parts = { ...server.product, clock: () => now };
    const jobs = new Jobs(parts);
    let end: () => void = () => {};
    const job = await jobs.run(async () => {
      reportProgress(1, 2);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return { status: 200, body: 'x' };
    }, request);
    const other = new Jobs({ ...parts, clock: () => now + 60_000 });
    expect(await other.find(job.id)).toMatchObject({
      state: 'INTERRUPTED',
      atLeast: true,
      done: 1,
      total: 2,
    });
    now += 1;
    end();
    await jobs.stop();
    expect(await other.find(job.id)).toMatchObject({ state: 'ENDED', response: { status: 200, body: 'x' } });
  });
});
