import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import { runType, type TestContext } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { anFsContext } from '../testing/fsContext.ts';
import { localTasks } from './localTasks.ts';
import { localTrigger } from './localTrigger.ts';
import { nfsTypes } from './nfs.ts';

async function aFolder() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-local-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const open = join(root, 'open');
  await mkdir(join(open, 'in/sub'), { recursive: true });
  await writeFile(join(open, 'in/a.csv'), 'a');
  await writeFile(join(open, 'in/sub/b.csv'), 'b');
  await writeFile(join(root, 'secret.txt'), 'secret');
  const configuration = (type: string) =>
    type === 'fs.local' || type === 'fs.nfs' ? { allowedPaths: [open] } : {};
  return { root, open, context: anFsContext({ configuration }) };
}

const run = (name: string, properties: Readonly<Record<string, unknown>>, context: TestContext) => {
  const found = [...localTasks, ...nfsTypes].find(({ type }) => type === `fs.${name}`);
  // `as`: the names in these tests are those of tasks.
  return runType(found as TaskDefinition, properties, context);
};

async function poll(trigger: TriggerDefinition, properties: object, context: TestContext) {
  return trigger.poll?.(context, readInput(trigger.type, trigger.input, { ...properties }));
}

test('files are read, written, listed, copied, moved and deleted in an allowed folder', async () => {
  const { open, context } = await aFolder();
  const listed = await run(
    'local.List',
    { from: `${open}/in`, recursive: true, regExp: '.*\\.csv' },
    context,
  );
  expect(listed.count).toBe(2);
  const { uri, size } = await run('local.Download', { from: `${open}/in/a.csv` }, context);
  expect([await context.files.text(String(uri)), size]).toEqual(['a', 1]);
  expect(await run('local.Upload', { from: uri, to: `${open}/out/new/` }, context)).toMatchObject({
    size: 1,
  });
  await run('local.Uploads', { from: { 'c.csv': uri }, to: `${open}/out` }, context);
  await run('local.Copy', { from: `${open}/in`, to: `${open}/copy` }, context);
  expect(await readFile(join(open, 'copy/sub/b.csv'), 'utf8')).toBe('b');
  await run('local.Move', { from: `${open}/out/c.csv`, to: `${open}/moved/d.csv` }, context);
  expect(await readdir(join(open, 'moved'))).toEqual(['d.csv']);
  const onto = { from: `${open}/in/a.csv`, to: `${open}/moved/d.csv` };
  await expect(run('local.Move', onto, context)).rejects.toThrow('exists');
  await expect(run('local.Delete', { from: `${open}/copy` }, context)).rejects.toThrow('is not empty');
  const deleted = await run('local.Delete', { from: `${open}/copy`, recursive: true }, context);
  expect(deleted.uris).toHaveLength(2);
  expect(await run('local.Delete', { from: `${open}/copy` }, context)).toMatchObject({ deleted: false });
  const { files } = await run('local.Downloads', { from: `${open}/in`, action: 'DELETE' }, context);
  expect(files).toHaveLength(1);
  expect(await readdir(join(open, 'in'))).toEqual(['sub']);
});

test('nothing outside the allowed folders can be read, written or deleted', async () => {
  const { root, open, context } = await aFolder();
  await symlink(root, join(open, 'out'));
  const uri = await context.files.put('x', 'x');
  for (const path of [join(root, 'secret.txt'), `${open}/../secret.txt`, `${open}/out/secret.txt`]) {
    const refused = 'is not inside one of the allowed paths';
    await expect(run('local.Download', { from: path }, context)).rejects.toThrow(refused);
    await expect(run('local.Upload', { from: uri, to: path }, context)).rejects.toThrow(refused);
    await expect(run('local.Delete', { from: path }, context)).rejects.toThrow(refused);
    await expect(run('local.Move', { from: `${open}/in/a.csv`, to: path }, context)).rejects.toThrow(refused);
  }
  const closed = anFsContext();
  await expect(run('local.List', { from: open }, closed)).rejects.toThrow(
    'set "allowedPaths" for "fs.local"',
  );
});

test('deleting a folder removes links in it, not the files that they lead to', async () => {
  const { root, open, context } = await aFolder();
  await symlink(root, join(open, 'in/link'));
  await run('local.Delete', { from: `${open}/in`, recursive: true }, context);
  expect(await readFile(join(root, 'secret.txt'), 'utf8')).toBe('secret');
});

test('the triggers remember what they saw; files may also be moved away', async () => {
  const { open, context } = await aFolder();
  const from = `${open}/in`;
  expect(await poll(localTrigger, { from }, context)).toMatchObject({ count: 1, files: [{ name: 'a.csv' }] });
  expect(await poll(localTrigger, { from }, context)).toBeUndefined();
  await writeFile(join(open, 'in/a.csv'), 'changed');
  expect(await poll(localTrigger, { from }, context)).toMatchObject({ count: 1 });
  const moving = { from, action: 'MOVE', moveDirectory: `${open}/done` };
  expect(await poll(localTrigger, moving, context)).toMatchObject({ count: 1 });
  expect(await poll(localTrigger, moving, context)).toBeUndefined();
  expect(await poll(localTrigger, { from: `${open}/nowhere` }, context)).toBeUndefined();
  const nfsTrigger = nfsTypes.find(({ kind }) => kind === 'trigger') as TriggerDefinition;
  const state = { from: `${open}/done`, stateKey: 'nfs' };
  expect(await poll(nfsTrigger, state, context)).toMatchObject({ files: [{ changeType: 'CREATE' }] });
  expect(await poll(nfsTrigger, state, context)).toBeUndefined();
});

test('the tasks for NFS work on mounted folders and tell the kind of mount', async () => {
  const { open, context } = await aFolder();
  const mount = await run('nfs.CheckMount', { path: open }, context);
  expect(mount).toMatchObject({ path: open, isNfsMount: false, fileStoreType: expect.stringMatching(/./) });
  await run('nfs.Copy', { from: `${open}/in/a.csv`, to: `${open}/b.csv` }, context);
  await run('nfs.Move', { from: `${open}/b.csv`, to: `${open}/done/` }, context);
  const { files } = await run('nfs.List', { from: `${open}/done` }, context);
  expect(files).toMatchObject([{ name: 'b.csv', isHidden: false, size: 1 }]);
  expect(await run('nfs.Delete', { uri: `${open}/done/b.csv` }, context)).toMatchObject({ deleted: true });
  await expect(run('nfs.Delete', { uri: `${open}/done/b.csv` }, context)).rejects.toThrow('There is no file');
});
