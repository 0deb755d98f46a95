import type { ByteSource } from '../byteSource.ts';
import { bzip2Crc } from './bzip2Crc.ts';

/** Bits, highest first. */
class Bits {
  readonly #source: ByteSource;
  #value = 0;
  #count = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      if (this.#count === 0) {
        this.#value = this.#source.byte();
        this.#count = 8;
      }
      const taken = Math.min(left, this.#count);
      this.#count -= taken;
      value = value * 2 ** taken + ((this.#value >>> this.#count) & ((1 << taken) - 1));
      left -= taken;
    }
    return value;
  }

  bit(): number {
    if (this.#count === 0) {
      this.#value = this.#source.byte();
      this.#count = 8;
    }
    this.#count--;
    return (this.#value >>> this.#count) & 1;
  }

  align(): void {
    this.#count = 0;
  }
}

const blockMark = 0x314159265359;
const endMark = 0x177245385090;

/** The content of a bzip2 file, also of several that follow each other. */
export function* decodeBzip2(source: ByteSource): Generator<Buffer> {
  do {
    const bits = new Bits(source);
    if (bits.read(24) !== 0x425a68) throw new Error('it is no bzip2 file');
    const level = bits.read(8) - 0x30;
    if (level < 1 || level > 9) throw new Error('its block size is unknown');
    for (let mark = bits.read(48); mark !== endMark; mark = bits.read(48)) {
      if (mark !== blockMark) throw new Error('a block does not begin where it should');
      yield decodeBlock(bits, level * 100_000);
    }
    bits.read(32);
    bits.align();
  } while (!source.isAtEnd());
}

function decodeBlock(bits: Bits, maxSize: number): Buffer {
  const checksum = bits.read(32);
  if (bits.bit() === 1) throw new Error('it was written by a version older than any in use');
  const origin = bits.read(24);
  const symbols = readSymbols(bits);
  const { tables, selectors } = readTables(bits, symbols.length + 2);
  const { last, size } = readMoves(bits, symbols, tables, selectors, maxSize);
  if (origin >= size) throw new Error('a block points outside of itself');
  const content = unrun(untransform(last, size, origin));
  if (bzip2Crc(content) !== checksum) throw new Error('a checksum is wrong');
  return content;
}

function readSymbols(bits: Bits): number[] {
  const groups = bits.read(16);
  const symbols: number[] = [];
  for (let group = 0; group < 16; group++) {
    if ((groups & (0x8000 >> group)) === 0) continue;
    const used = bits.read(16);
    for (let index = 0; index < 16; index++) if (used & (0x8000 >> index)) symbols.push(group * 16 + index);
  }
  if (symbols.length === 0) throw new Error('a block has no symbols');
  return symbols;
}

interface Table {
  /** By length: the first code, the index of its symbol, and how many there are. */
  readonly first: readonly number[];
  readonly index: readonly number[];
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

function readTables(bits: Bits, alphabet: number): { tables: Table[]; selectors: number[] } {
  const tableCount = bits.read(3);
  const selectorCount = bits.read(15);
  if (tableCount < 2 || tableCount > 6 || selectorCount === 0) throw new Error('a block has no code tables');
  const order = Array.from({ length: tableCount }, (_, index) => index);
  const selectors = Array.from({ length: selectorCount }, () => {
    let position = 0;
    while (bits.bit() === 1) if (++position >= tableCount) throw new Error('a selector is wrong');
    const [chosen = 0] = order.splice(position, 1);
    order.unshift(chosen);
    return chosen;
  });
  const tables = Array.from({ length: tableCount }, () => readTable(bits, alphabet));
  return { tables, selectors };
}

function readTable(bits: Bits, alphabet: number): Table {
  let length = bits.read(5);
  const lengths = Array.from({ length: alphabet }, () => {
    while (bits.bit() === 1) length += bits.bit() === 1 ? -1 : 1;
    if (length < 1 || length > 20) throw new Error('a code is too long');
    return length;
  });
  const counts = new Array<number>(21).fill(0);
  for (const one of lengths) counts[one] = (counts[one] ?? 0) + 1;
  const first: number[] = [0];
  const index: number[] = [0];
  for (let bitsUsed = 1; bitsUsed <= 20; bitsUsed++) {
    first[bitsUsed] = ((first[bitsUsed - 1] ?? 0) + (bitsUsed === 1 ? 0 : (counts[bitsUsed - 1] ?? 0))) * 2;
    index[bitsUsed] = (index[bitsUsed - 1] ?? 0) + (bitsUsed === 1 ? 0 : (counts[bitsUsed - 1] ?? 0));
  }
  const symbols = lengths
    .map((one, symbol) => ({ one, symbol }))
    .sort((a, b) => a.one - b.one || a.symbol - b.symbol)
    .map(({ symbol }) => symbol);
  return { first, index, counts, symbols };
}

function readSymbol(bits: Bits, table: Table): number {
  let code = 0;
  for (let length = 1; length <= 20; length++) {
    code = code * 2 + bits.bit();
    const offset = code - (table.first[length] ?? 0);
    if (offset >= 0 && offset < (table.counts[length] ?? 0))
      return table.symbols[(table.index[length] ?? 0) + offset] ?? 0;
  }
  throw new Error('a code is unknown');
}

/** Undoes the Huffman codes, the runs of zeros and the move to front. */
function readMoves(
  bits: Bits,
  symbols: number[],
  tables: readonly Table[],
  selectors: readonly number[],
  maxSize: number,
): { last: Uint8Array; size: number } {
  const last = new Uint8Array(maxSize);
  const end = symbols.length + 1;
  let size = 0;
  let run = 0;
  let weight = 1;
  let left = 0;
  let group = 0;
  let table: Table | undefined;
  for (;;) {
    if (left === 0) {
      table = tables[selectors[group++] ?? -1];
      left = 50;
      if (!table) throw new Error('a block has too few selectors');
    }
    left--;
    const symbol = readSymbol(bits, table as Table); // set with the group above
    if (symbol < 2) {
      run += weight << symbol;
      weight *= 2;
      if (run > maxSize) throw new Error('a run is too long');
      continue;
    }
    if (run > 0) {
      if (size + run > maxSize) throw new Error('a block is too long');
      last.fill(symbols[0] ?? 0, size, size + run);
      size += run;
      run = 0;
      weight = 1;
    }
    if (symbol === end) return { last, size };
    const [moved = 0] = symbols.splice(symbol - 1, 1);
    symbols.unshift(moved);
    if (size === maxSize) throw new Error('a block is too long');
    last[size++] = moved;
  }
}

/** Undoes the Burrows-Wheeler transform. */
function untransform(last: Uint8Array, size: number, origin: number): Uint8Array {
  const starts = new Uint32Array(257);
  for (let at = 0; at < size; at++) {
    const next = (last[at] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let byte = 1; byte < 257; byte++) starts[byte] = (starts[byte] ?? 0) + (starts[byte - 1] ?? 0);
  const follow = new Uint32Array(size);
  for (let at = 0; at < size; at++) {
    const byte = last[at] ?? 0;
    const place = starts[byte] ?? 0;
    starts[byte] = place + 1;
    follow[place] = at;
  }
  const content = new Uint8Array(size);
  let place = follow[origin] ?? 0;
  for (let at = 0; at < size; at++) {
    content[at] = last[place] ?? 0;
    place = follow[place] ?? 0;
  }
  return content;
}

/** Four equal bytes are followed by how many more there are. */
function unrun(content: Uint8Array): Buffer {
  let size = 0;
  for (const [, count] of runs(content)) size += count;
  const result = Buffer.alloc(size);
  let at = 0;
  for (const [byte, count] of runs(content)) {
    result.fill(byte, at, at + count);
    at += count;
  }
  return result;
}

function* runs(content: Uint8Array): Generator<readonly [byte: number, count: number]> {
  for (let at = 0; at < content.length; ) {
    const byte = content[at] ?? 0;
    let count = 1;
    while (count < 4 && content[at + count] === byte) count++;
    at += count;
    if (count === 4) count += content[at++] ?? 0;
    yield [byte, count];
  }
}
