import { importModule, loadZstdCompress } from '@millrace/plugin-kit';
import type * as KafkaJs from 'kafkajs';

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

type Bytes = (bytes: Uint8Array) => Uint8Array;
interface Functions {
  readonly compress: Bytes;
  readonly uncompress: Bytes;
  readonly decompress: Bytes;
}

/** Some of these libraries are CommonJS, whose functions are under `default`. */
async function load(name: string): Promise<Functions> {
  const loaded = await importModule<Functions & { readonly default?: Functions }>(name);
  return loaded.default ?? loaded;
}

/** The clients of the JVM put Snappy blocks into this frame. */
const frameMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const frameHeaderBytes = 16;
const blockBytes = 32 * 1024;

export const snappy: Codec = {
  async compress({ buffer }) {
    const { compress } = await load('snappyjs');
    const header = Buffer.alloc(frameHeaderBytes);
    frameMagic.copy(header);
    header.writeInt32BE(1, 8);
    header.writeInt32BE(1, 12);
    const parts = [header];
    for (let at = 0; at < buffer.length; at += blockBytes) {
      const block = compress(buffer.subarray(at, at + blockBytes));
      const length = Buffer.alloc(4);
      length.writeInt32BE(block.length);
      parts.push(length, Buffer.from(block));
    }
    return Buffer.concat(parts);
  },
  async decompress(bytes) {
    const { uncompress } = await load('snappyjs');
    if (!bytes.subarray(0, frameMagic.length).equals(frameMagic)) return Buffer.from(uncompress(bytes));
    const parts: Buffer[] = [];
    for (let at = frameHeaderBytes; at < bytes.length; ) {
      const end = at + 4 + bytes.readInt32BE(at);
      parts.push(Buffer.from(uncompress(bytes.subarray(at + 4, end))));
      at = end;
    }
    return Buffer.concat(parts);
  },
};

export const lz4: Codec = {
  compress: async ({ buffer }) => Buffer.from((await load('lz4js')).compress(buffer)),
  decompress: async (bytes) => Buffer.from((await load('lz4js')).decompress(bytes)),
};

const zstdLevel = 3;
export const zstd: Codec = {
  compress: async ({ buffer }) => Buffer.from((await loadZstdCompress())(buffer, zstdLevel)),
  decompress: async (bytes) => Buffer.from((await load('fzstd')).decompress(bytes)),
};

/** Registers more codecs: the library supports only gzip, and many topics use other compressions. */
export function registerCodecs({ CompressionCodecs, CompressionTypes }: typeof KafkaJs): void {
  CompressionCodecs[CompressionTypes.Snappy] = () => snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
}
