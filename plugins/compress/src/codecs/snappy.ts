import { type ByteSource, Window } from '../byteSource.ts';
import { findMatches } from './findMatches.ts';
import { blocksOf } from './lz4.ts';

/** Raw Snappy. Writers use offsets up to 64 KiB, and larger offsets are rejected. */
export function* decodeSnappy(source: ByteSource): Generator<Buffer> {
  yield* decodeRaw(() => source.next());
}

function* decodeRaw(next: () => number): Generator<Buffer> {
  const byte = () => {
    const value = next();
    if (value < 0) throw new Error('a block ends too early');
    return value;
  };
  const little = (length: number) => {
    let value = 0;
    for (let at = 0; at < length; at++) value += byte() * 2 ** (8 * at);
    return value;
  };
  const window = new Window(65_536);
  let left = 0;
  for (let at = 0; ; at++) {
    const part = byte();
    left += (part & 0x7f) * 2 ** (7 * at);
    if (part < 0x80) break;
    if (at > 4) throw new Error('its length is wrong');
  }
  while (left > 0) {
    if (window.isFull) yield window.take();
    const tag = byte();
    if ((tag & 3) === 0) {
      const short = tag >> 2;
      const length = 1 + (short < 60 ? short : little(short - 59));
      left -= length;
      for (let at = 0; at < length && left >= 0; at++) {
        if (window.isFull) yield window.take();
        window.put(byte());
      }
    } else {
      const length = (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      const distance = (tag & 3) === 1 ? ((tag >> 5) << 8) | byte() : little((tag & 3) === 2 ? 2 : 4);
      left -= length;
      window.copy(distance, length);
    }
  }
  if (left < 0) throw new Error('a block is longer than it says');
  yield window.take();
}

const identifier = Buffer.from([0xff, 6, 0, 0, ...Buffer.from('sNaPpY')]);

/** The framing format of Snappy, whose blocks have checksums. */
export function* decodeSnappyFrames(source: ByteSource): Generator<Buffer> {
  if (!source.take(identifier.length).equals(identifier)) throw new Error('it is no framed Snappy file');
  while (!source.isAtEnd()) {
    const kind = source.byte();
    const bytes = source.take(source.little(3));
    if (kind < 2) {
      const content =
        kind === 1 ? bytes.subarray(4) : Buffer.concat([...decodeRaw(readerOf(bytes.subarray(4)))]);
      if (maskedCrc(content) !== bytes.readUInt32LE(0)) throw new Error('a checksum is wrong');
      yield content;
    } else if (kind < 0x80) throw new Error('a part is of an unknown kind');
  }
}

function readerOf(bytes: Uint8Array): () => number {
  let at = 0;
  return () => bytes[at++] ?? -1;
}

export async function* encodeSnappyFrames(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield identifier;
  for await (const block of blocksOf(content, 65_536)) {
    const packed = encodeRaw(block);
    const isSmaller = packed.length < block.length;
    const data = isSmaller ? packed : block;
    const header = Buffer.alloc(8);
    header[0] = isSmaller ? 0 : 1;
    header.writeUIntLE(data.length + 4, 1, 3);
    header.writeUInt32LE(maskedCrc(block), 4);
    yield Buffer.concat([header, data]);
  }
}

function encodeRaw(block: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from(varint(block.length))];
  const matches = findMatches(block, 65_535, 0);
  for (let found = matches.next(); ; found = matches.next()) {
    const literals = found.done
      ? block.subarray(found.value)
      : block.subarray(found.value.from, found.value.at);
    if (literals.length > 0) parts.push(Uint8Array.from(literalTag(literals.length)), literals);
    if (found.done) return Buffer.concat(parts);
    const { distance } = found.value;
    for (let left = found.value.length; left > 0; left -= 64)
      parts.push(Uint8Array.from([((Math.min(left, 64) - 1) << 2) | 2, distance & 0xff, distance >> 8]));
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

function literalTag(length: number): number[] {
  const value = length - 1;
  if (value < 60) return [value << 2];
  return value < 256 ? [60 << 2, value] : [61 << 2, value & 0xff, value >> 8];
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f6_3b78 : value >>> 1;
  return value >>> 0;
});

/** CRC-32C, masked so that a checksum of data that contains checksums stays meaningful. */
function maskedCrc(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 0xff] ?? 0);
  const crc = (value ^ 0xffff_ffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
}
