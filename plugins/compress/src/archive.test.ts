import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeTar } from './archives/tar.ts';
import { archiveCompress, archiveDecompress } from './archiveTypes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const long = `deep/${'folder/'.repeat(20)}a name that is longer than any old header allows.txt`;
const contents = {
  'plain.txt': 'hello\n',
  'odd size.bin': 'x',
  [long]: 'deep',
  'empty.txt': '',
  'ünï.txt': 'ü',
};

function run(program: string, args: readonly string[], input?: string | Buffer): Buffer {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    ...(input !== undefined && { input }),
    cwd: folder,
  });
  if (error || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`);
  return stdout;
}

async function pack(files: Readonly<Record<string, string>>, properties: object): Promise<Buffer> {
  const context = aTaskContext();
  const from: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) from[path] = await context.files.put('file', text);
  const { uri } = await runType(archiveCompress, { from, ...properties }, context);
  return context.files.byPath.get(String(uri).replace('millrace://', '')) ?? Buffer.alloc(0);
}

async function unpack(
  archive: Buffer,
  properties: object,
  context = aTaskContext(),
): Promise<Record<string, string>> {
  const from = await context.files.put('archive', archive);
  const { files } = await runType(archiveDecompress, { from, ...properties }, context);
  const texts: Record<string, string> = {};
  for (const [path, uri] of Object.entries(files as Record<string, string>))
    texts[path] = await context.files.text(uri);
  return texts;
}

describe('what is packed is unpacked as it was', () => {
  test.each([
    { algorithm: 'TAR' },
    { algorithm: 'TAR', compression: 'GZIP' },
    { algorithm: 'TAR', compression: 'ZSTD' },
    { algorithm: 'ZIP' },
    { algorithm: 'JAR' },
    { algorithm: 'CPIO' },
    { algorithm: 'AR' },
  ])('%o', async (properties) => {
    expect(await unpack(await pack(contents, properties), properties)).toEqual(contents);
  });
});

describe('the usual programs read what is packed', () => {
  const found = (path: string) => readFileSync(join(folder, path), 'utf8');

  test('tar', async () => {
    run('tar', ['xzf', '-'], await pack(contents, { algorithm: 'TAR', compression: 'GZIP' }));
    for (const [path, text] of Object.entries(contents)) expect(found(path)).toBe(text);
  });

  test('Python reads the zip file', async () => {
    writeFileSync(join(folder, 'a.zip'), await pack(contents, { algorithm: 'ZIP' }));
    run('python3', [
      '-c',
      'import zipfile; z = zipfile.ZipFile("a.zip"); assert z.testzip() is None; z.extractall()',
    ]);
    for (const [path, text] of Object.entries(contents)) expect(found(path)).toBe(text);
  });

  test('cpio', async () => {
    run('cpio', ['-id', '--quiet'], await pack(contents, { algorithm: 'CPIO' }));
    for (const [path, text] of Object.entries(contents)) expect(found(path)).toBe(text);
  });

  test('ar', async () => {
    writeFileSync(
      join(folder, 'a.ar'),
      await pack({ 'plain.txt': 'x', 'a-rather-long-name.txt': 'yy' }, { algorithm: 'AR' }),
    );
    expect(run('ar', ['t', 'a.ar']).toString()).toBe('plain.txt\na-rather-long-name.txt\n');
    expect(run('ar', ['p', 'a.ar', 'a-rather-long-name.txt']).toString()).toBe('yy');
  });
});

describe('what the usual programs pack is unpacked', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'in/sub'), { recursive: true });
    writeFileSync(join(folder, 'in/a-rather-long-name.txt'), 'one');
    writeFileSync(join(folder, 'in/sub/two.txt'), 'two\n'.repeat(1000));
  });
  const expected = { 'in/a-rather-long-name.txt': 'one', 'in/sub/two.txt': 'two\n'.repeat(1000) };

  test('tar, with links left out', async () => {
    symlinkSync('/etc/passwd', join(folder, 'in/link'));
    const context = aTaskContext();
    expect(await unpack(run('tar', ['cf', '-', 'in']), { algorithm: 'TAR' }, context)).toEqual(expected);
    expect(context.logs).toEqual([{ level: 'WARN', message: '"in/link" was left out: it is a symlink.' }]);
    expect(context.metrics).toEqual([
      { name: 'size', type: 'counter', value: 4003 },
      { name: 'count', type: 'counter', value: 2 },
    ]);
  });

  test.each(['newc', 'odc'])('cpio %s', async (format) => {
    const list = 'in\nin/sub\nin/a-rather-long-name.txt\nin/sub/two.txt\n';
    expect(await unpack(run('cpio', ['-o', '--quiet', '-H', format], list), { algorithm: 'CPIO' })).toEqual(
      expected,
    );
  });

  test('ar', async () => {
    run('ar', ['q', 'x.ar', 'in/a-rather-long-name.txt', 'in/sub/two.txt']);
    const archive = readFileSync(join(folder, 'x.ar'));
    expect(Object.keys(await unpack(archive, { algorithm: 'AR' }))).toEqual([
      'a-rather-long-name.txt',
      'two.txt',
    ]);
  });

  test.each(['Deflate', 'Deflate64', 'BZip2', 'Copy'])('7-Zip with %s', async (method) => {
    run('7zz', ['a', '-tzip', `-mm=${method}`, 'x.zip', 'in']);
    expect(await unpack(readFileSync(join(folder, 'x.zip')), { algorithm: 'ZIP' })).toEqual(expected);
  });

  test('arj, when files are stored', async () => {
    run('arj', ['a', '-r', '-m0', 'x.arj', 'in']);
    expect(await unpack(readFileSync(join(folder, 'x.arj')), { algorithm: 'ARJ' })).toEqual(expected);
    run('arj', ['a', '-r', '-m1', 'y.arj', 'in']);
    const packed = readFileSync(join(folder, 'y.arj'));
    await expect(unpack(packed, { algorithm: 'ARJ' })).rejects.toThrow(
      'only stored files of ARJ can be read',
    );
  });
});

describe('hostile archives', () => {
  test('a path that leads out is refused and nothing is kept', async () => {
    const script = `
import sys, tarfile, zipfile, io
t = tarfile.open("evil.tar", "w")
for name in ["good.txt", "../evil.txt"]:
    i = tarfile.TarInfo(name); i.size = 1; t.addfile(i, io.BytesIO(b"x"))
t.close()
z = zipfile.ZipFile("evil.zip", "w"); z.writestr("good.txt", "x"); z.writestr("a/../../evil.txt", "x"); z.close()
z = zipfile.ZipFile("abs.zip", "w"); z.writestr("/etc/evil", "x"); z.close()`;
    run('python3', ['-c', script]);
    for (const [file, algorithm] of [
      ['evil.tar', 'TAR'],
      ['evil.zip', 'ZIP'],
      ['abs.zip', 'ZIP'],
    ] as const) {
      const context = aTaskContext();
      const archive = readFileSync(join(folder, file));
      await expect(unpack(archive, { algorithm }, context), file).rejects.toThrow(
        /leads out|invalid relative path|absolute path/,
      );
      expect([...context.files.byPath.keys()], file).toHaveLength(1);
    }
    expect(readdirSync(tmpdir())).not.toContain('evil.txt');
  });

  test('too many entries are refused', async () => {
    const context = aTaskContext({ configuration: () => ({ maxEntries: 3 }) });
    await expect(
      unpack(await pack(contents, { algorithm: 'TAR' }), { algorithm: 'TAR' }, context),
    ).rejects.toThrow('more than 3 entries');
  });

  test('a bomb in a zip file is refused', async () => {
    const context = aTaskContext({ configuration: () => ({ maxBytes: 1_000_000 }) });
    const bomb = await pack({ zeros: '\0'.repeat(3_000_000) }, { algorithm: 'ZIP' });
    expect(bomb.length).toBeLessThan(10_000);
    await expect(unpack(bomb, { algorithm: 'ZIP' }, context)).rejects.toThrow('possible bomb');
  });

  test.each(['TAR', 'ZIP', 'CPIO', 'AR', 'ARJ'])(
    'a file that is no %s archive is refused',
    async (algorithm) => {
      const text = Buffer.from('this is no archive, whatever it says. '.repeat(40));
      await expect(unpack(text, { algorithm })).rejects.toThrow(`The ${algorithm} archive cannot be read`);
    },
  );
});

test.each(['ZIP', 'TAR', 'CPIO', 'AR'])(
  'a file that cannot be read fails the task that makes a %s archive',
  async (algorithm) => {
    const context = aTaskContext();
    const uri = await context.files.put('file', 'content');
    context.files.read = async () =>
      (async function* () {
        yield Buffer.from('con');
        throw new Error('the disk is gone');
      })();
    await expect(runType(archiveCompress, { from: { a: uri }, algorithm }, context)).rejects.toThrow(
      'the disk is gone',
    );
  },
);

test('files come as a list of maps, as JSON, or from a stored file', async () => {
  const context = aTaskContext();
  const one = await context.files.put('one', '1');
  const map = await context.files.put('map.json', JSON.stringify({ 'b.txt': one }));
  for (const from of [[{ 'a.txt': one }, { 'b.txt': one }], JSON.stringify({ 'b.txt': one }), map])
    await runType(archiveCompress, { from, algorithm: 'TAR' }, context);
  await expect(
    runType(archiveCompress, { from: { a: 'no uri' }, algorithm: 'TAR' }, context),
  ).rejects.toThrow('must be the URI');
  await expect(
    runType(archiveCompress, { from: { '../a': one }, algorithm: 'TAR' }, context),
  ).rejects.toThrow('stay inside');
  await expect(runType(archiveCompress, { from: { a: one }, algorithm: 'ARJ' }, context)).rejects.toThrow(
    'cannot be written',
  );
});

test.each([3, 7])(
  'a file of which %i bytes were announced and 5 come is named; no archive is made',
  async (size) => {
    async function* content() {
      yield Buffer.from('five!');
    }
    const written = writeTar([
      { path: 'a.txt', size, open: async () => content() },
      { path: 'b.txt', size: 5, open: async () => content() },
    ]);
    const reading = Readable.from(written).toArray();
    await expect(reading).rejects.toThrow('The file for "a.txt" changed while it was read.');
  },
);
