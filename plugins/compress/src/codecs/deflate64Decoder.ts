import { type ByteSource, Window } from '../byteSource.ts';

/** Bits, lowest first. */
class Bits {
  readonly #source: ByteSource;
  #value = 0;
  #count = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  bit(): number {
    if (this.#count === 0) {
      this.#value = this.#source.byte();
      this.#count = 8;
    }
    const bit = this.#value & 1;
    this.#value >>>= 1;
    this.#count--;
    return bit;
  }

  read(count: number): number {
    let value = 0;
    for (let at = 0; at < count; at++) value += this.bit() * 2 ** at;
    return value;
  }

  align(): void {
    this.#count = 0;
  }
}

/** Counts and symbols by the length of their code. */
interface Table {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function tableOf(lengths: readonly number[]): Table {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const symbols = lengths
    .map((length, symbol) => ({ length, symbol }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => a.length - b.length || a.symbol - b.symbol)
    .map(({ symbol }) => symbol);
  return { counts, symbols: Uint16Array.from(symbols) };
}

function readSymbol(bits: Bits, { counts, symbols }: Table): number {
  let code = 0;
  let first = 0;
  let index = 0;
  for (let length = 1; length < 16; length++) {
    code |= bits.bit();
    const count = counts[length] ?? 0;
    if (code - count < first) return symbols[index + code - first] ?? 0;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new Error('a code is unknown');
}

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 3,
];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 16];
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const fixedLiterals = tableOf(
  Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
);
const fixedDistances = tableOf(new Array<number>(32).fill(5));

/** Deflate with a window of 64 KiB and longer copies, as some zip programs write it. */
export function* decodeDeflate64(source: ByteSource): Generator<Buffer> {
  const bits = new Bits(source);
  const window = new Window(65_536);
  for (let isLast = false; !isLast; ) {
    isLast = bits.bit() === 1;
    const kind = bits.read(2);
    if (kind === 0) yield* stored(bits, source, window);
    else if (kind === 3) throw new Error('a block is of an unknown kind');
    else yield* compressed(bits, window, kind === 1 ? [fixedLiterals, fixedDistances] : readTables(bits));
  }
  yield window.take();
}

function* stored(bits: Bits, source: ByteSource, window: Window): Generator<Buffer> {
  bits.align();
  const length = source.little(2);
  if ((source.little(2) ^ 0xffff) !== length) throw new Error('the length of a block is wrong');
  for (let at = 0; at < length; at++) {
    if (window.isFull) yield window.take();
    window.put(source.byte());
  }
}

function* compressed(
  bits: Bits,
  window: Window,
  [literals, distances]: readonly [Table, Table],
): Generator<Buffer> {
  for (;;) {
    if (window.isFull) yield window.take();
    const symbol = readSymbol(bits, literals);
    if (symbol < 256) window.put(symbol);
    else if (symbol === 256) return;
    else {
      const length = (lengthBase[symbol - 257] ?? 0) + bits.read(lengthBits[symbol - 257] ?? 0);
      const code = readSymbol(bits, distances);
      const extra = code < 4 ? 0 : (code >> 1) - 1;
      const base = code < 4 ? code + 1 : (2 + (code & 1)) * 2 ** extra + 1;
      window.copy(base + bits.read(extra), length);
    }
  }
}

function readTables(bits: Bits): [Table, Table] {
  const literalCount = bits.read(5) + 257;
  const distanceCount = bits.read(5) + 1;
  const codeCount = bits.read(4) + 4;
  const codeLengths = new Array<number>(19).fill(0);
  for (let at = 0; at < codeCount; at++) codeLengths[codeOrder[at] ?? 0] = bits.read(3);
  const codes = tableOf(codeLengths);
  const lengths: number[] = [];
  while (lengths.length < literalCount + distanceCount) {
    const symbol = readSymbol(bits, codes);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) repeat(lengths, lengths.at(-1) ?? 0, 3 + bits.read(2));
    else repeat(lengths, 0, symbol === 17 ? 3 + bits.read(3) : 11 + bits.read(7));
  }
  return [
    tableOf(lengths.slice(0, literalCount)),
    tableOf(lengths.slice(literalCount, literalCount + distanceCount)),
  ];
}

function repeat(lengths: number[], value: number, count: number): void {
  for (let at = 0; at < count; at++) lengths.push(value);
}
