import type { ByteSource } from '../byteSource.ts';

/** The content of a file of the old Unix program `compress` (`.Z`). */
export function* decodeLzw(source: ByteSource): Generator<Buffer> {
  if (source.byte() !== 0x1f || source.byte() !== 0x9d) throw new Error('it is no file of compress');
  const flags = source.byte();
  const maxBits = flags & 0x1f;
  const hasClear = (flags & 0x80) !== 0;
  if (maxBits < 9 || maxBits > 16) throw new Error('its codes have an unknown length');
  const prefix = new Uint16Array(1 << maxBits);
  const suffix = new Uint8Array(1 << maxBits);
  const codes = new Codes(source);
  let free = hasClear ? 257 : 256;
  let previous = -1;
  let first = 0;
  let output: number[] = [];
  for (;;) {
    if (free > (1 << codes.bits) - 1 && codes.bits < maxBits) codes.widen();
    const code = codes.next();
    if (code < 0) break;
    if (code === 256 && hasClear) {
      codes.reset();
      free = 257;
      previous = -1;
      continue;
    }
    if (previous < 0) {
      if (code > 255) throw new Error('a code is unknown');
      first = code;
      output.push(code);
      previous = code;
      continue;
    }
    if (code > free) throw new Error('a code is unknown');
    const stack: number[] = [];
    // The code that is just being defined is the last text and its first byte again.
    if (code === free) stack.push(first);
    let at = code === free ? previous : code;
    for (; at > 255; at = prefix[at] ?? 0) stack.push(suffix[at] ?? 0);
    first = at;
    output.push(first);
    for (let index = stack.length - 1; index >= 0; index--) output.push(stack[index] ?? 0);
    if (free < 1 << maxBits) {
      prefix[free] = previous;
      suffix[free] = first;
      free++;
    }
    previous = code;
    if (output.length > 64 * 1024) {
      yield Buffer.from(output);
      output = [];
    }
  }
  yield Buffer.from(output);
}

/** Codes come in groups of eight; the rest of a group is skipped when their length changes. */
class Codes {
  bits = 9;
  readonly #source: ByteSource;
  #group: Uint8Array = Buffer.alloc(0);
  #at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  widen(): void {
    this.bits++;
    this.#group = Buffer.alloc(0);
    this.#at = 0;
  }

  reset(): void {
    this.bits = 9;
    this.#group = Buffer.alloc(0);
    this.#at = 0;
  }

  /** -1 at the end. */
  next(): number {
    if (this.#at + this.bits > this.#group.length * 8) {
      this.#group = this.#readGroup();
      this.#at = 0;
      if (this.bits > this.#group.length * 8) return -1;
    }
    let code = 0;
    for (let bit = 0; bit < this.bits; bit++, this.#at++)
      code |= (((this.#group[this.#at >> 3] ?? 0) >> (this.#at & 7)) & 1) << bit;
    return code;
  }

  #readGroup(): Uint8Array {
    const bytes: number[] = [];
    while (bytes.length < this.bits) {
      const byte = this.#source.next();
      if (byte < 0) break;
      bytes.push(byte);
    }
    return Buffer.from(bytes);
  }
}
