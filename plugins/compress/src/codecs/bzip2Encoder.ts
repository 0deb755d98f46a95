import { bzip2Crc } from './bzip2Crc.ts';
import { codeLengths, codesOf } from './huffman.ts';
import { sortRotations } from './sortRotations.ts';

/** Input bytes of a block; runs can make it a quarter longer, which still fits level 9. */
const blockSize = 400_000;

/** The content as a bzip2 file, one block after the other. */
export async function* encodeBzip2(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bits = new BitWriter();
  bits.write(24, 0x425a68);
  bits.write(8, 0x39);
  let combined = 0;
  const writeBlock = (block: Uint8Array) => {
    const checksum = bzip2Crc(block);
    combined = (((combined << 1) | (combined >>> 31)) ^ checksum) >>> 0;
    encodeBlock(bits, block, checksum);
  };
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    pending.push(chunk);
    size += chunk.length;
    while (size >= blockSize) {
      const all = Buffer.concat(pending);
      writeBlock(all.subarray(0, blockSize));
      pending = [all.subarray(blockSize)];
      size -= blockSize;
      yield bits.take();
    }
  }
  if (size > 0) writeBlock(Buffer.concat(pending));
  bits.write(24, 0x177245);
  bits.write(24, 0x385090);
  bits.write(32, combined);
  bits.flush();
  yield bits.take();
}

function encodeBlock(bits: BitWriter, block: Uint8Array, checksum: number): void {
  const content = withRuns(block);
  const { last, origin } = transform(content);
  const used = [...new Set(last)].sort((a, b) => a - b);
  bits.write(24, 0x314159);
  bits.write(24, 0x265359);
  bits.write(32, checksum);
  bits.write(1, 0);
  bits.write(24, origin);
  writeSymbols(bits, used);
  const moves = toMoves(last, used);
  const alphabet = used.length + 2;
  const counts = new Array<number>(alphabet).fill(0);
  for (const move of moves) counts[move] = (counts[move] ?? 0) + 1;
  // Every symbol must have a code, even an unused one.
  const lengths = codeLengths(
    counts.map((count) => Math.max(1, count)),
    17,
  );
  const codes = codesOf(lengths);
  // The format wants two tables at least; both are the same and only the first is used.
  const selectorCount = Math.ceil(moves.length / 50);
  bits.write(3, 2);
  bits.write(15, selectorCount);
  for (let selector = 0; selector < selectorCount; selector++) bits.write(1, 0);
  for (let table = 0; table < 2; table++) writeLengths(bits, lengths);
  for (const move of moves) bits.write(lengths[move] ?? 1, codes[move] ?? 0);
}

function writeSymbols(bits: BitWriter, used: readonly number[]): void {
  const isUsed = new Set(used);
  const groups = Array.from({ length: 16 }, (_, group) => used.some((symbol) => symbol >> 4 === group));
  for (const group of groups) bits.write(1, group ? 1 : 0);
  for (let symbol = 0; symbol < 256; symbol++)
    if (groups[symbol >> 4]) bits.write(1, isUsed.has(symbol) ? 1 : 0);
}

function writeLengths(bits: BitWriter, lengths: readonly number[]): void {
  let current = lengths[0] ?? 1;
  bits.write(5, current);
  for (const length of lengths) {
    for (; current < length; current++) bits.write(2, 0b10);
    for (; current > length; current--) bits.write(2, 0b11);
    bits.write(1, 0);
  }
}

/** Four equal bytes are followed by how many more there are. */
function withRuns(block: Uint8Array): Uint8Array {
  const result = new Uint8Array(Math.ceil(block.length * 1.25) + 5);
  let size = 0;
  for (let at = 0; at < block.length; ) {
    const byte = block[at] ?? 0;
    let count = 1;
    while (count < 255 && block[at + count] === byte) count++;
    for (let copy = 0; copy < Math.min(count, 4); copy++) result[size++] = byte;
    if (count >= 4) result[size++] = count - 4;
    at += count;
  }
  return result.subarray(0, size);
}

/** The Burrows-Wheeler transform: the last bytes of all rotations, in order. */
function transform(content: Uint8Array): { last: Uint8Array; origin: number } {
  const order = sortRotations(content);
  const last = new Uint8Array(content.length);
  let origin = 0;
  for (let at = 0; at < order.length; at++) {
    const start = order[at] ?? 0;
    if (start === 0) origin = at;
    last[at] = content[start === 0 ? content.length - 1 : start - 1] ?? 0;
  }
  return { last, origin };
}

/** Move-to-front transform, with runs of zeros in a separate binary code; ends with the end symbol. */
function toMoves(last: Uint8Array, used: readonly number[]): number[] {
  const order = [...used];
  const moves: number[] = [];
  let zeros = 0;
  const endRun = () => {
    for (; zeros > 0; zeros = (zeros - 1) >> 1) moves.push((zeros - 1) & 1);
  };
  for (const byte of last) {
    if (order[0] === byte) {
      zeros++;
      continue;
    }
    endRun();
    const position = order.indexOf(byte);
    order.splice(position, 1);
    order.unshift(byte);
    moves.push(position + 1);
  }
  endRun();
  moves.push(used.length + 1);
  return moves;
}

/** Bits, highest first. */
class BitWriter {
  #bytes: number[] = [];
  #value = 0;
  #count = 0;

  write(count: number, value: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#value = (this.#value << 1) | ((value >>> bit) & 1);
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#value);
      this.#value = 0;
      this.#count = 0;
    }
  }

  flush(): void {
    while (this.#count > 0) this.write(1, 0);
  }

  take(): Uint8Array {
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    return bytes;
  }
}
