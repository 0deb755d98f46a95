import { statSync } from 'node:fs';
import { join } from 'node:path';
import { alterSqlite } from '@millrace/store/suite';
import { describe, expect, it } from 'vitest';
import { executionFolder } from '../files/internalStorage.ts';
import { aFlow } from '../testing/aFlow.ts';
import { aServer, type TestServer } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';

const day = 86_400_000;
const failing = 'tasks:\n  - id: stop\n    type: core.execution.Fail\n';

/** An execution that has ended, with a file. */
async function anEndedRun(server: TestServer, flowId: string) {
  const { id } = await server.run(flowId);
  const folder = executionFolder({ namespace: 'company.team', flowId, executionId: id });
  const uri = await server.product.files.put([...folder, 'report.txt'], 'all of the report');
  return { id, uri };
}

describe.each(databases)('the janitor on $name', (database) => {
  it('removes what is no longer kept with logs, metrics and files, and spares the rest', async () => {
    let now = Date.now();
    const settings = { retention: { keep: 'P30D', namespaces: { 'company.team': 'P7D' } } };
    const server = await aServer(database, { settings, clock: () => now });
    const { store, files, janitor } = server.product;
    await server.saveFlow(aFlow('old'));
    const old = await anEndedRun(server, 'old');
    await store.commit([
      {
        op: 'log.insert',
        log: {
          tenantId: 'main',
          namespace: 'company.team',
          flowId: 'old',
          triggerId: 't',
          at: now,
          level: 'INFO',
          message: 'x',
        },
      },
    ]);
    now += 6 * day;
    expect(await janitor.runRound()).toEqual({ executions: 0, logs: 0 });
    const young = await anEndedRun(server, 'old');
    now += 2 * day;
    expect(await janitor.runRound()).toEqual({ executions: 1, logs: 1 });
    expect(await store.getExecution(old.id)).toBeUndefined();
    expect(await store.listLogs({ executionId: old.id })).toEqual([]);
    expect(await files.sizeOf(old.uri)).toBeUndefined();
    expect(await store.getExecution(young.id)).toBeDefined();
    expect(await files.sizeOf(young.uri)).toBe(17);
    expect((await server.call('GET', '/executions/search')).body.total).toBe(1);
  });

  it('[A42] never takes an execution that is restarted, nor half of a file that a user reads, downloads or previews', async () => {
    let now = Date.now();
    const server = await aServer(database, { settings: { retention: { keep: 'P1D' } }, clock: () => now });
    const { store, files, janitor } = server.product;
    await server.saveFlow(aFlow('broken', failing));
    const runs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => anEndedRun(server, 'broken')));
    const [first] = runs;
    now += 2 * day;
    const reading = (await files.read(first?.uri ?? ''))[Symbol.asyncIterator]();
    const beginning = await reading.next();
    const fileOf = ({ id, uri }: { id: string; uri: string }, what: string) =>
      server.call('GET', `/executions/${id}/file${what}?path=${encodeURIComponent(uri)}`);
    const looking = runs.flatMap((run) => [fileOf(run, ''), fileOf(run, '/preview')]);
    const [, ...answers] = await Promise.all([
      janitor.runRound(),
      ...runs.map(({ id }) => server.call('POST', `/executions/${id}/restart`)),
    ]);
    // A client that reads a file meanwhile gets all of it or a 404.
    for (const { status, body } of await Promise.all(looking)) {
      expect([200, 404]).toContain(status);
      if (status === 200) expect(JSON.stringify(body)).toContain('all of the report');
    }
    for (const [index, { id, uri }] of runs.entries()) {
      const isRestarted = answers[index]?.status === 200;
      const left = await store.getExecution(id);
      // Whichever request came first, either everything is left or nothing.
      expect([id, left !== undefined]).toEqual([id, isRestarted]);
      expect([id, await files.sizeOf(uri)]).toEqual([id, isRestarted ? 17 : undefined]);
      if (!isRestarted) expect([404, 409]).toContain(answers[index]?.status);
    }
    expect(String(beginning.value)).toBe('all of the report');
    await reading.return?.();
  });

  it('does nothing to executions when it is switched off', async () => {
    let now = Date.now();
    const settings = { retention: { enabled: false, keep: 'P1D' } };
    const server = await aServer(database, { settings, clock: () => now });
    await server.saveFlow(aFlow('kept'));
    const { id } = await anEndedRun(server, 'kept');
    now += 365 * day;
    expect(await server.product.janitor.runRound()).toEqual({ executions: 0, logs: 0 });
    expect(await server.product.store.getExecution(id)).toBeDefined();
  });
});

it('what retention removes makes the file of SQLite smaller', async () => {
  let now = Date.now();
  const settings = { retention: { keep: 'P1D' } };
  const server = await aServer(sqlite, { settings, clock: () => now });
  const about = { tenantId: 'main', namespace: 'company.team', flowId: 'chatty', triggerId: 't' };
  const message = 'much to say '.repeat(100);
  await server.product.store.commit(
    Array.from({ length: 400 }, () => ({
      op: 'log.insert' as const,
      log: { ...about, at: now, level: 'INFO' as const, message },
    })),
  );
  const { data } = server.product.config;
  const sizeOf = () => {
    // SQLite moves new data from the WAL to the file only at a checkpoint.
    alterSqlite(data, ['PRAGMA wal_checkpoint(TRUNCATE)']);
    return statSync(join(data, 'millrace.db')).size;
  };
  const before = sizeOf();
  now += 2 * day;
  expect(await server.product.janitor.runRound()).toMatchObject({ logs: 400 });
  await expect.poll(sizeOf).toBeLessThan(before - 300 * message.length);
});
