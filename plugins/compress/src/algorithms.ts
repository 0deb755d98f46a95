import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createDeflate, createGunzip, createGzip, createInflate } from 'node:zlib';
import { importModule, loadZstdCompress, messageOf, TaskFailed } from '@millrace/plugin-kit';
import { ByteSource } from './byteSource.ts';
import { decodeBzip2 } from './codecs/bzip2Decoder.ts';
import { encodeBzip2 } from './codecs/bzip2Encoder.ts';
import { decodeDeflate64 } from './codecs/deflate64Decoder.ts';
import { blocksOf, decodeLz4Block, decodeLz4Frames, encodeLz4Block, encodeLz4Frame } from './codecs/lz4.ts';
import { decodeLzw } from './codecs/lzwDecoder.ts';
import { decodeSnappy, decodeSnappyFrames, encodeSnappyFrames } from './codecs/snappy.ts';
import type { Scratch } from './scratch.ts';

export const compressions = [
  'BROTLI',
  'BZIP2',
  'DEFLATE',
  'DEFLATE64',
  'GZIP',
  'LZ4BLOCK',
  'LZ4FRAME',
  'LZMA',
  'SNAPPY',
  'SNAPPYFRAME',
  'XZ',
  'Z',
  'ZSTD',
] as const;

export type Compression = (typeof compressions)[number];
type Content = AsyncIterable<Uint8Array>;

/** The end of a file's name, as the usual programs have it. */
export const extensions: Readonly<Record<Compression, string>> = {
  BROTLI: '.br',
  BZIP2: '.bz2',
  DEFLATE: '.zz',
  DEFLATE64: '.deflate64',
  GZIP: '.gz',
  LZ4BLOCK: '.lz4',
  LZ4FRAME: '.lz4',
  LZMA: '.lzma',
  SNAPPY: '.snappy',
  SNAPPYFRAME: '.sz',
  XZ: '.xz',
  Z: '.Z',
  ZSTD: '.zst',
};

const maxLz4Block = 256 * 1024 * 1024;
const zstdFrame = 4 * 1024 * 1024;

/** Compresses a stream. */
export function compress(content: Content, algorithm: Compression): Content {
  switch (algorithm) {
    case 'GZIP':
      return through(content, () => createGzip());
    case 'DEFLATE':
      return through(content, () => createDeflate());
    case 'BZIP2':
      return encodeBzip2(content);
    case 'LZ4FRAME':
      return encodeLz4Frame(content);
    case 'LZ4BLOCK':
      return lz4Block(content);
    case 'SNAPPYFRAME':
      return encodeSnappyFrames(content);
    case 'ZSTD':
      return zstdFrames(content);
    case 'XZ':
    case 'LZMA':
      return through(content, async () => {
        const { createStream } = await loadLzma();
        return createStream(algorithm === 'XZ' ? 'easyEncoder' : 'aloneEncoder', { preset: 6 });
      });
    default:
      throw new TaskFailed(`${algorithm} can be read but not written; use for example GZIP or ZSTD.`, {
        retry: false,
      });
  }
}

/** Decompresses a stream. Formats that are read bit by bit go through a file on disk. */
export async function* decompress(content: Content, algorithm: Compression, scratch: Scratch): Content {
  try {
    yield* decoded(content, algorithm, scratch);
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(
      `The file cannot be decompressed as ${algorithm}: ${messageOf(error).replace(/\.$/, '')}.`,
      {
        retry: false,
        cause: error,
      },
    );
  }
}

function decoded(content: Content, algorithm: Compression, scratch: Scratch): Content {
  const fromFile = (decode: (source: ByteSource) => Generator<Buffer>) =>
    decodeOnDisk(content, decode, scratch);
  switch (algorithm) {
    case 'GZIP':
      return through(content, () => createGunzip());
    case 'DEFLATE':
      return through(content, () => createInflate());
    case 'BROTLI':
      return through(content, () => createBrotliDecompress());
    case 'XZ':
    case 'LZMA':
      return through(content, async () => {
        const { createStream } = await loadLzma();
        return createStream(algorithm === 'XZ' ? 'streamDecoder' : 'aloneDecoder', {
          memlimit: 256 * 1024 * 1024,
        });
      });
    case 'ZSTD':
      return unzstd(content);
    case 'BZIP2':
      return fromFile(decodeBzip2);
    case 'DEFLATE64':
      return fromFile(decodeDeflate64);
    case 'LZ4FRAME':
      return fromFile(decodeLz4Frames);
    case 'LZ4BLOCK':
      return fromFile(decodeLz4Block);
    case 'SNAPPY':
      return fromFile(decodeSnappy);
    case 'SNAPPYFRAME':
      return fromFile(decodeSnappyFrames);
    case 'Z':
      return fromFile(decodeLzw);
  }
}

async function* decodeOnDisk(
  content: Content,
  decode: (source: ByteSource) => Generator<Buffer>,
  scratch: Scratch,
): Content {
  const source = new ByteSource(await scratch.write(content));
  try {
    for (const chunk of decode(source)) if (chunk.length > 0) yield chunk;
  } finally {
    source.close();
  }
}

/** The content through a stream of Node, with back-pressure and with its errors. */
async function* through(content: Content, create: () => Transform | Promise<Transform>): Content {
  const transform = await create();
  const source = Readable.from(content, { objectMode: false });
  const flowing = pipeline(source, transform);
  // Its failure also ends the stream, and is thrown where that is read.
  flowing.catch(() => undefined);
  yield* transform as AsyncIterable<Buffer>;
  await flowing;
}

type Lzma = typeof import('lzma-native');

async function loadLzma(): Promise<Lzma> {
  const module = await importModule<Lzma & { default?: Lzma }>('lzma-native');
  return module.default ?? module;
}

async function* lz4Block(content: Content): Content {
  for await (const block of blocksOf(content, maxLz4Block)) {
    if (block.length === maxLz4Block)
      throw new TaskFailed('LZ4BLOCK is one block in memory and takes files below 256 MiB; use LZ4FRAME.', {
        retry: false,
      });
    yield encodeLz4Block(block);
  }
}

/** Frames that follow each other are one file to every reader, and keep the memory small. */
async function* zstdFrames(content: Content): Content {
  const packBlock = await loadZstdCompress();
  let isEmpty = true;
  for await (const block of blocksOf(content, zstdFrame)) {
    isEmpty = false;
    yield packBlock(block, 3);
  }
  if (isEmpty) yield packBlock(new Uint8Array(0), 3);
}

async function* unzstd(content: Content): Content {
  const { Decompress } = await importModule<typeof import('fzstd')>('fzstd');
  let ready: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => ready.push(chunk));
  for await (const chunk of content) {
    decoder.push(chunk);
    yield* ready;
    ready = [];
  }
  decoder.push(new Uint8Array(0), true);
  yield* ready;
}
