import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../openStore.ts';
import { temporaryFolder } from '../suite/index.ts';

/** Built by the setup of the test run. */
const child = join(process.env.MILLRACE_STORE_THREADS ?? '', 'commitForever.js');
const rounds = 3;

/** Starts a process that commits and reports each unit that the store acknowledged. */
function startCommitting(folder: string, round: number): { process: ChildProcess; acknowledged: string[] } {
  const acknowledged: string[] = [];
  const process = fork(child, [folder, String(round)], { execArgv: [] });
  process.on('message', (ids: string[]) => acknowledged.push(...ids));
  return { process, acknowledged };
}

it('has every acknowledged unit after a kill -9 at any moment, and nothing half', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder();
  const all: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const { process, acknowledged } = startCommitting(folder.path, round);
    // Kills at a different moment each time: after a random number of acknowledgements.
    const enough = 50 + Math.floor(Math.random() * 500);
    while (acknowledged.length < enough) await once(process, 'message');
    process.kill('SIGKILL');
    await once(process, 'exit');
    all.push(...acknowledged);

    const store = await openStore({ kind: 'sqlite', folder: folder.path });
    for (const id of all) {
      const stored = await store.getExecution(id);
      expect([id, stored?.taskRuns.length, stored?.eventSeq]).toEqual([id, 2, 1]);
    }
    // Units in flight were committed completely or not at all.
    const page = await store.listExecutions({ page: 1, size: 10_000, filters: [] });
    for (const { execution } of page.results) {
      expect((await store.getExecution(execution.id))?.taskRuns).toHaveLength(2);
    }
    expect(page.results.length).toBe(Math.min(page.total, 10_000));
    expect(page.total).toBeGreaterThanOrEqual(all.length);
    await store.close();
  }
  folder.remove();
});

it('gives the folder to the next server when its holder was killed', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const config = { kind: 'sqlite', folder: folder.path } as const;
  const { process } = startCommitting(folder.path, 0);
  await once(process, 'message');
  await expect(openStore(config)).rejects.toMatchObject({ code: 'illegal-state' });
  process.kill('SIGKILL');
  await once(process, 'exit');
  await (await openStore(config)).close();
  folder.remove();
});

it('ends cleanly when the process exits in the middle of commits and searches', {
  timeout: 60_000,
}, async () => {
  const folder = temporaryFolder();
  for (let round = 0; round < 3; round++) {
    const { process, acknowledged } = startCommitting(folder.path, round);
    while (acknowledged.length < 200) await once(process, 'message');
    process.send('exit');
    expect(await once(process, 'exit')).toEqual([7, null]);
  }
  folder.remove();
});
