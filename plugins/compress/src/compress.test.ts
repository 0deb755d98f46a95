import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileCompress, fileDecompress } from './compressTypes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-compress-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Text that repeats, noise that does not, runs, and nothing at all. */
const noise = Buffer.from(
  Array.from({ length: 70_000 }, (_, index) => (index * index * 31 + (index >> 3)) & 0xff),
);
const samples: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from('x')],
  ['text', Buffer.from('The quick brown fox jumps over the lazy dog. ÄÖÜ 😀\n'.repeat(4000))],
  ['noise', noise],
  ['runs', Buffer.concat([Buffer.alloc(100_000), Buffer.alloc(300_000, 7), Buffer.from('end')])],
];

async function convert(
  definition: typeof fileCompress,
  bytes: Buffer,
  compression: string,
  context = aTaskContext(),
) {
  const from = await context.files.put('file', bytes);
  const { uri } = await runType(definition, { from, compression }, context);
  return context.files.byPath.get(String(uri).replace('millrace://', '')) ?? Buffer.alloc(0);
}

function run(program: string, args: readonly string[], input?: Buffer): Buffer {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    ...(input && { input }),
    cwd: folder,
    maxBuffer: 1e8,
  });
  if (error || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`);
  return stdout;
}

const programs: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['GZIP', 'gzip', ['-c'], ['-dc']],
  ['BZIP2', 'bzip2', ['-c'], ['-dc']],
  ['XZ', 'xz', ['-c'], ['-dc']],
  ['LZMA', 'xz', ['--format=lzma', '-c'], ['--format=lzma', '-dc']],
  ['ZSTD', 'zstd', ['-c'], ['-dc']],
  ['LZ4FRAME', 'lz4', ['-c'], ['-dc']],
];

describe.each(programs)('%s', (compression, program, pack, unpack) => {
  test.each(samples)(`of %s is read by ${program} and read from it`, async (_, bytes) => {
    const packed = await convert(fileCompress, bytes, compression);
    expect(run(program, unpack, packed).equals(bytes)).toBe(true);
    expect((await convert(fileDecompress, run(program, pack, bytes), compression)).equals(bytes)).toBe(true);
  });
});

test.each(['DEFLATE', 'SNAPPYFRAME', 'LZ4BLOCK'])('%s comes back as it was', async (compression) => {
  for (const [name, bytes] of samples) {
    if (compression === 'LZ4BLOCK' && bytes.length === 0) continue;
    const packed = await convert(fileCompress, bytes, compression);
    expect((await convert(fileDecompress, packed, compression)).equals(bytes), name).toBe(true);
  }
});

test('BROTLI and Z are read as their programs write them', async () => {
  for (const [name, bytes] of samples.slice(1)) {
    expect(
      (await convert(fileDecompress, run('brotli', ['-c', '-q', '3'], bytes), 'BROTLI')).equals(bytes),
      name,
    ).toBe(true);
    const packed = run('compress', ['-f', '-c'], bytes);
    expect((await convert(fileDecompress, packed, 'Z')).equals(bytes), name).toBe(true);
  }
});

test('DEFLATE64 is read as 7-Zip writes it', async () => {
  for (const [index, [name, bytes]] of samples.slice(2).entries()) {
    writeFileSync(join(folder, `plain${index}`), bytes);
    run('7zz', ['a', '-tzip', '-mm=Deflate64', `deflate64-${index}.zip`, `plain${index}`]);
    const zip = readFileSync(join(folder, `deflate64-${index}.zip`));
    // The data offset of the only entry, computed from its header.
    const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
    const raw = zip.subarray(start, start + zip.readUInt32LE(18));
    if (zip.readUInt16LE(8) !== 9) continue;
    expect((await convert(fileDecompress, raw, 'DEFLATE64')).equals(bytes), name).toBe(true);
  }
});

test('SNAPPY without frames is read', async () => {
  // "abcd" as a literal, then twelve bytes that are it again.
  const raw = Buffer.from([16, 3 << 2, ...Buffer.from('abcd'), (11 << 2) | 2, 4, 0]);
  expect((await convert(fileDecompress, raw, 'SNAPPY')).toString()).toBe('abcd'.repeat(4));
});

test('several files in one are one file, as their programs have it', async () => {
  for (const [compression, program] of [
    ['BZIP2', 'bzip2'],
    ['GZIP', 'gzip'],
    ['ZSTD', 'zstd'],
    ['LZ4FRAME', 'lz4'],
  ] as const) {
    const both = Buffer.concat(['one', 'two'].map((text) => run(program, ['-c'], Buffer.from(text))));
    expect((await convert(fileDecompress, both, compression)).toString(), compression).toBe('onetwo');
  }
});

test.each(['BROTLI', 'DEFLATE64', 'SNAPPY', 'Z'])('%s cannot be written', async (compression) => {
  await expect(convert(fileCompress, noise, compression)).rejects.toThrow(
    `${compression} can be read but not written`,
  );
});

test.each(['GZIP', 'BZIP2', 'XZ', 'LZMA', 'ZSTD', 'LZ4FRAME', 'SNAPPYFRAME', 'Z', 'BROTLI', 'DEFLATE'])(
  'a file that is not %s is refused',
  async (compression) => {
    await expect(convert(fileDecompress, Buffer.from('this is plain text'), compression)).rejects.toThrow(
      `The file cannot be decompressed as ${compression}:`,
    );
  },
);

test('a file that was cut off is refused', async () => {
  for (const [compression] of programs) {
    const packed = await convert(fileCompress, noise, compression);
    await expect(convert(fileDecompress, packed.subarray(0, -20), compression), compression).rejects.toThrow(
      'cannot be decompressed',
    );
  }
});

test('a bomb is refused', async () => {
  const context = aTaskContext({ configuration: () => ({ maxBytes: 1_000_000 }) });
  const bomb = await convert(fileCompress, Buffer.alloc(5_000_000), 'GZIP');
  await expect(convert(fileDecompress, bomb, 'GZIP', context)).rejects.toThrow('refused as a possible bomb');
});
