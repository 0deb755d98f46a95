import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aTaskContext } from '../testing/testContext.ts';
import { collectOutputFiles, writeInputFiles, writeNamespaceFiles } from './workingFiles.ts';

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('input files are texts, stored files or empty', async () => {
  const context = aTaskContext();
  const folder = await aFolder();
  const uri = await context.files.put('data.csv', 'a,b');
  await writeInputFiles(context, folder, { 'deep/er/a.txt': 'hello', 'data.csv': uri, 'empty.txt': null });
  expect(await readFile(join(folder, 'deep/er/a.txt'), 'utf8')).toBe('hello');
  expect(await readFile(join(folder, 'data.csv'), 'utf8')).toBe('a,b');
  expect(await readFile(join(folder, 'empty.txt'), 'utf8')).toBe('');
});

test('the map of input files may itself be a stored file', async () => {
  const context = aTaskContext();
  const folder = await aFolder();
  await writeInputFiles(context, folder, await context.files.put('map.json', '{"a.json": {"b": 1}}'));
  expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('{"b":1}');
});

test.each(['../a', '/../etc/passwd', 'a/../../b', 'C:\\x', '', 'a\0b', '..\\a'])(
  'the input file "%s" is refused',
  async (path) => {
    await expect(writeInputFiles(aTaskContext(), await aFolder(), { [path]: 'x' })).rejects.toThrow(
      'must be relative',
    );
  },
);

test('the root of input files is the working folder', async () => {
  const folder = await aFolder();
  await writeInputFiles(aTaskContext(), folder, { '/etc/passwd': 'x' });
  expect(await readFile(join(folder, 'etc/passwd'), 'utf8')).toBe('x');
});

test('input files do not follow links that a former task planted', async () => {
  const context = aTaskContext();
  const [folder, outside] = [await aFolder(), await aFolder()];
  await writeFile(join(outside, 'victim'), 'safe');
  await symlink(join(outside, 'victim'), join(folder, 'file'));
  await symlink(outside, join(folder, 'dir'));
  await expect(writeInputFiles(context, folder, { file: 'x' })).rejects.toThrow();
  await expect(writeInputFiles(context, folder, { 'dir/victim': 'x' })).rejects.toThrow(
    'leads through a link',
  );
  expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('safe');
});

test('[A24] output files are collected by glob, links and own files left out', async () => {
  const context = aTaskContext();
  const [folder, outside] = [await aFolder(), await aFolder()];
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'a.txt'), 'A');
  await writeFile(join(folder, 'out/a.txt'), 'B');
  await writeFile(join(folder, '.millrace-script.txt'), 'own');
  await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  await symlink(outside, join(folder, 'linked'));
  const files = await collectOutputFiles(context, folder, ['**/*.txt']);
  expect(Object.keys(files)).toEqual(['a.txt', 'out/a.txt']);
  expect(await context.files.text(files['out/a.txt']!)).toBe('B');
  expect(context.logs).toEqual([
    { level: 'WARN', message: 'The output file "link.txt" is a link and was left out.' },
  ]);
});

test.each(['../*', '/etc/*', 'a/../../*'])('[A24] the output glob "%s" is refused', async (glob) => {
  await expect(collectOutputFiles(aTaskContext(), await aFolder(), [glob])).rejects.toThrow(
    'must be relative',
  );
});

test('an output glob may begin with the folder itself', async () => {
  const folder = await aFolder();
  await writeFile(join(folder, 'a.txt'), 'A');
  expect(Object.keys(await collectOutputFiles(aTaskContext(), folder, [`${folder}/a.txt`]))).toEqual([
    'a.txt',
  ]);
});

test('namespace files are chosen by include and exclude', async () => {
  const context = aTaskContext();
  const folder = await aFolder();
  for (const path of ['main.py', 'lib/util.py', 'lib/test.py', 'data.csv']) {
    await context.namespaceFiles.write('company.team', path, path);
  }
  const choice = { enabled: true, ifExists: 'OVERWRITE', folderPerNamespace: false } as const;
  await writeNamespaceFiles(context, folder, { ...choice, include: ['**/*.py'], exclude: ['test.py'] });
  expect(await readFile(join(folder, 'lib/util.py'), 'utf8')).toBe('lib/util.py');
  await expect(readFile(join(folder, 'lib/test.py'))).rejects.toThrow();
  await expect(readFile(join(folder, 'data.csv'))).rejects.toThrow();
  await expect(writeNamespaceFiles(context, folder, { ...choice, ifExists: 'FAIL' })).rejects.toThrow(
    'exists already',
  );
});
