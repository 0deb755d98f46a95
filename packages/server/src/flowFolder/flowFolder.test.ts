import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import type { Store } from '@millrace/store';
import { temporaryFolder } from '@millrace/store/suite';
import { expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { FlowFolder } from './flowFolder.ts';

it('saves the flows of a folder, follows changes, and deletes flows whose files go', async () => {
  const server = await aServer(sqlite);
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const revisions = async () => {
    const { body } = await server.call('GET', '/flows/search?size=100&sort=id:asc');
    return (body.results as { id: string; revision: number }[]).map(
      ({ id, revision }) => `${id} ${revision}`,
    );
  };
  mkdirSync(join(folder.path, 'deep'));
  write('one.yml', aFlow('one'));
  write('deep/two.yaml', `${aFlow('two')}---\n${aFlow('three')}`);
  write('wrong.yml', 'id: wrong');
  write('notes.txt', aFlow('notes'));
  const watched = new FlowFolder(folder.path, server.product);
  onTestFinished(() => watched.close());
  await watched.load();
  expect(await revisions()).toEqual(['one 1', 'three 1', 'two 1']);
  watched.watch();
  write('one.yml', aFlow('one', 'description: changed'));
  await expect.poll(revisions).toEqual(['one 2', 'three 1', 'two 1']);
  write('deep/two.yaml', aFlow('two'));
  write('wrong.yml', aFlow('right'));
  await expect.poll(revisions).toEqual(['one 2', 'right 1', 'two 1']);
  // A file that is broken for a while takes nothing away.
  write('one.yml', 'id: [');
  rmSync(join(folder.path, 'deep/two.yaml'));
  await expect.poll(revisions).toEqual(['one 2', 'right 1']);
  // Test suites come and go with their files as well.
  const suites = async () =>
    ((await server.call('GET', '/tests/search')).body.results as { id: string }[]).map(({ id }) => id);
  const { namespace } = parseFlow(aFlow('right')).flow!;
  write(
    'right.test.yml',
    `id: checks\nnamespace: ${namespace}\nflowId: right\ntestCases: [{id: runs, assertions: [{state: SUCCESS}]}]\n`,
  );
  await expect.poll(suites).toEqual(['checks']);
  rmSync(join(folder.path, 'right.test.yml'));
  await expect.poll(suites).toEqual([]);
});

it('says that a folder cannot be read', async () => {
  const server = await aServer(sqlite);
  await expect(new FlowFolder('/no/such/folder', server.product).load()).rejects.toThrow(
    'The folder of flows "/no/such/folder" cannot be read.',
  );
});

it('saves and deletes later what the database was away for', async () => {
  const server = await aServer(sqlite);
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  let isAway = true;
  let failed = 0;
  const { store } = server.product;
  const commit: Store['commit'] = async (unit) => {
    if (!isAway) return store.commit(unit);
    failed++;
    throw new AppError('unavailable', 'The database is away.');
  };
  const watched = new FlowFolder(folder.path, { ...server.product, store: { ...store, commit } });
  onTestFinished(() => watched.close());
  const status = async () => (await server.call('GET', '/flows/company.team/one')).status;
  writeFileSync(join(folder.path, 'one.yml'), aFlow('one'));
  await watched.load();
  expect(await status()).toBe(404);
  isAway = false;
  await expect.poll(status).toBe(200);
  watched.watch();
  [isAway, failed] = [true, 0];
  rmSync(join(folder.path, 'one.yml'));
  await expect.poll(() => failed).toBeGreaterThan(0);
  isAway = false;
  await expect.poll(status).toBe(404);
});
