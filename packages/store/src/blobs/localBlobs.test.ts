import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../suite/temporaryFolder.ts';
import { openBlobs } from './openBlobs.ts';
import { blobSuite, textOf } from './testing/blobSuite.ts';

blobSuite('files in a folder', async () => {
  const folder = temporaryFolder();
  const blobs = await openBlobs({ kind: 'local', folder: join(folder.path, 'storage') });
  return { blobs, close: async () => folder.remove() };
});

it('[A21] follows no link, neither to a file nor on the way to one', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const storage = join(folder.path, 'storage');
  const outside = join(folder.path, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  const blobs = await openBlobs({ kind: 'local', folder: storage });
  await symlink(join(outside, 'secret'), join(storage, 'link'));
  await symlink(outside, join(storage, 'folder'));
  expect(await blobs.stat('link')).toBeUndefined();
  expect(await textOf(await blobs.read('link'))).toBeUndefined();
  const refused = { code: 'illegal-argument' };
  await expect(blobs.read('folder/secret')).rejects.toMatchObject(refused);
  await expect(blobs.delete('folder/secret')).rejects.toMatchObject(refused);
  await expect(blobs.put('folder/new/x', (async function* () {})())).rejects.toMatchObject(refused);
  await expect(blobs.move('folder/secret', 'mine')).rejects.toMatchObject(refused);
  expect(await blobs.list('')).toEqual([]);
});

it('removes what a crash left half-written, not what another server is writing', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  await openBlobs({ kind: 'local', folder: folder.path });
  const unfinished = join(folder.path, '.unfinished');
  for (const name of ['old', 'new']) await writeFile(join(unfinished, name), 'half');
  await utimes(join(unfinished, 'old'), 1, 1);
  await openBlobs({ kind: 'local', folder: folder.path });
  expect(await readdir(unfinished)).toEqual(['new']);
});
