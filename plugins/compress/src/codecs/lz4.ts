import { type ByteSource, Window } from '../byteSource.ts';
import { findMatches } from './findMatches.ts';

const frameMagic = 0x184d_2204;
const skippableMagic = 0x184d_2a50;
const blockBytes = 256 * 1024;

/** The content of one or more LZ4 frames. */
export function* decodeLz4Frames(source: ByteSource): Generator<Buffer> {
  do {
    const magic = source.little(4);
    if (magic === frameMagic) yield* decodeFrame(source);
    else if ((magic & 0xffff_fff0) >>> 0 === skippableMagic) source.take(source.little(4));
    else throw new Error('it is no LZ4 frame');
  } while (!source.isAtEnd());
}

function* decodeFrame(source: ByteSource): Generator<Buffer> {
  const flags = source.byte();
  source.byte();
  if (flags >> 6 !== 1) throw new Error('its version is unknown');
  if (flags & 0x08) source.take(8);
  if (flags & 0x01) throw new Error('it needs a dictionary');
  source.byte();
  const window = new Window(65_536);
  for (let size = source.little(4); size !== 0; size = source.little(4)) {
    const length = size % 0x8000_0000;
    if (length > 8 * 1024 * 1024) throw new Error('a block is too large');
    const bytes = source.take(length);
    if (size >= 0x8000_0000) yield* copyBlock(bytes, window);
    else yield* decodeSequences(readerOf(bytes), window);
    if (flags & 0x10) source.take(4);
  }
  yield window.take();
  if (flags & 0x04) source.take(4);
}

function readerOf(bytes: Uint8Array): () => number {
  let at = 0;
  return () => bytes[at++] ?? -1;
}

function* copyBlock(bytes: Uint8Array, window: Window): Generator<Buffer> {
  for (const byte of bytes) {
    if (window.isFull) yield window.take();
    window.put(byte);
  }
}

/** A raw block, which ends with the file. */
export function* decodeLz4Block(source: ByteSource): Generator<Buffer> {
  const window = new Window(65_536);
  yield* decodeSequences(() => source.next(), window);
  yield window.take();
}

function* decodeSequences(next: () => number, window: Window): Generator<Buffer> {
  const byte = () => {
    const value = next();
    if (value < 0) throw new Error('a block ends too early');
    return value;
  };
  const lengthOf = (start: number) => {
    let length = start;
    if (start === 15) for (let more = 255; more === 255; length += more) more = byte();
    return length;
  };
  for (let token = next(); token >= 0; token = next()) {
    for (let left = lengthOf(token >> 4); left > 0; left--) {
      if (window.isFull) yield window.take();
      window.put(byte());
    }
    const low = next();
    if (low < 0) return;
    const distance = low | (byte() << 8);
    for (let left = lengthOf(token & 15) + 4; left > 0; ) {
      if (window.isFull) yield window.take();
      const part = Math.min(left, 32_768);
      window.copy(distance, part);
      left -= part;
    }
  }
}

/** The content as one LZ4 frame of independent blocks. */
export async function* encodeLz4Frame(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const descriptor = Buffer.from([0x60, 0x50]);
  const header = Buffer.alloc(7);
  header.writeUInt32LE(frameMagic);
  descriptor.copy(header, 4);
  header[6] = (shortXxh32(descriptor) >>> 8) & 0xff;
  yield header;
  for await (const block of blocksOf(content, blockBytes)) {
    const packed = encodeLz4Block(block);
    const isSmaller = packed.length < block.length;
    const size = Buffer.alloc(4);
    size.writeUInt32LE(isSmaller ? packed.length : block.length + 0x8000_0000);
    yield Buffer.concat([size, isSmaller ? packed : block]);
  }
  yield Buffer.alloc(4);
}

/** The content in blocks of one size; the last may be smaller. */
export async function* blocksOf(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let pending = Buffer.alloc(0);
  for await (const chunk of content) {
    pending = Buffer.concat([pending, chunk]);
    for (; pending.length >= size; pending = pending.subarray(size)) yield pending.subarray(0, size);
  }
  if (pending.length > 0) yield pending;
}

/** A raw block of LZ4. */
export function encodeLz4Block(block: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  const matches = findMatches(block, 65_535, 12);
  for (let found = matches.next(); ; found = matches.next()) {
    const literals = found.done
      ? block.subarray(found.value)
      : block.subarray(found.value.from, found.value.at);
    const matchLength = found.done ? 0 : found.value.length - 4;
    const bytes = [(Math.min(literals.length, 15) << 4) | Math.min(matchLength, 15)];
    addLength(bytes, literals.length);
    parts.push(Uint8Array.from(bytes), literals);
    if (found.done) return Buffer.concat(parts);
    const tail = [found.value.distance & 0xff, found.value.distance >> 8];
    addLength(tail, matchLength);
    parts.push(Uint8Array.from(tail));
  }
}

function addLength(bytes: number[], length: number): void {
  if (length < 15) return;
  let left = length - 15;
  for (; left >= 255; left -= 255) bytes.push(255);
  bytes.push(left);
}

/** xxHash32 of fewer than four bytes, which is all that a header needs. */
function shortXxh32(bytes: Uint8Array): number {
  let hash = (374_761_393 + bytes.length) >>> 0;
  for (const byte of bytes) {
    hash = (hash + Math.imul(byte, 374_761_393)) >>> 0;
    hash = Math.imul((hash << 11) | (hash >>> 21), 2_654_435_761) >>> 0;
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}
