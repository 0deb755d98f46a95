import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInputFiles } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { deleteFiles } from './deleteFiles.ts';
import { downloadFiles } from './downloadFiles.ts';
import { purgeFiles } from './purgeFiles.ts';
import { uploadFiles } from './uploadFiles.ts';

test('files of storage and of the working folder are uploaded', async () => {
  const context = aTaskContext();
  const uri = await context.files.put('x', 'stored');
  await writeFile(join(await context.workingDirectory(), 'local.txt'), 'local');
  const { files } = await runType(
    uploadFiles,
    { filesMap: { 'stored.txt': uri }, files: ['*.txt'], destination: '/data/' },
    context,
  );
  expect(files).toEqual({ 'data/stored.txt': uri, 'data/local.txt': 'local.txt' });
  expect(await context.namespaceFiles.list('company.team')).toEqual(['data/stored.txt', 'data/local.txt']);
});

test.each([
  ['OVERWRITE', 'new'],
  ['SKIP', 'old'],
])('a file that is there already: %s', async (conflict, content) => {
  const context = aTaskContext();
  await context.namespaceFiles.write('company.team', 'a.txt', 'old');
  const uri = await context.files.put('x', 'new');
  await runType(uploadFiles, { filesMap: { 'a.txt': uri }, conflict }, context);
  expect(context.namespaceFiles.byPath.get('company.team:a.txt')?.toString()).toBe(content);
});

test('a file that is there already may be an error, and no path leads out', async () => {
  const context = aTaskContext();
  await context.namespaceFiles.write('company.team', 'a.txt', 'old');
  const uri = await context.files.put('x', 'new');
  await expect(
    runType(uploadFiles, { filesMap: { 'a.txt': uri }, conflict: 'ERROR' }, context),
  ).rejects.toThrow('exists in the namespace');
  await expect(runType(uploadFiles, { filesMap: { '../a.txt': uri } }, context)).rejects.toThrow(
    'must be relative',
  );
});

test('downloaded files are named by their path in the namespace, as it starts', async () => {
  const context = aTaskContext();
  await context.namespaceFiles.write('company.team', 'data/b.csv', 'b');
  const { files } = await runType(downloadFiles, { files: 'data/*' }, context);
  expect(Object.keys(files as object)).toEqual(['/data/b.csv']);
  const folder = await context.workingDirectory();
  await writeInputFiles(context, folder, files as Record<string, string>);
  expect(await readFile(join(folder, 'data/b.csv'), 'utf8')).toBe('b');
});

test('files are downloaded and deleted by glob', async () => {
  const context = aTaskContext();
  for (const path of ['a.csv', 'data/b.csv', 'data/c.txt'])
    await context.namespaceFiles.write('other', path, path);
  const { files } = await runType(
    downloadFiles,
    { namespace: 'other', files: '**/*.csv', destination: 'in/' },
    context,
  );
  expect(Object.keys(files as object)).toEqual(['/in/a.csv', '/in/data/b.csv']);
  expect(await context.files.text((files as Record<string, string>)['/in/data/b.csv']!)).toBe('data/b.csv');
  expect(await runType(deleteFiles, { namespace: 'other', files: ['data/**'] }, context)).toEqual({
    files: ['data/b.csv', 'data/c.txt'],
  });
  expect(await context.namespaceFiles.list('other')).toEqual(['a.csv']);
});

test('files of many namespaces are purged at once', async () => {
  const context = aTaskContext({
    actions: { listNamespaces: async () => ['company', 'company.team', 'other'] },
  });
  for (const namespace of ['company', 'company.team', 'other']) {
    await context.namespaceFiles.write(namespace, 'tmp/a.txt', 'x');
    await context.namespaceFiles.write(namespace, 'keep.txt', 'x');
  }
  const properties = { namespaces: ['company'], filePattern: 'tmp/**' };
  expect(await runType(purgeFiles, properties, context)).toEqual({ size: 2 });
  expect(await context.namespaceFiles.list('company.team')).toEqual(['keep.txt']);
  expect(await context.namespaceFiles.list('other')).toEqual(['tmp/a.txt', 'keep.txt']);
});
