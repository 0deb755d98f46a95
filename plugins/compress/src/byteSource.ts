import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads the bytes of a file on disk synchronously. The decoders of this family read bit by bit, which would
 * be far too slow with a promise for each read.
 */
export class ByteSource {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(64 * 1024);
  #at = 0;
  #length = 0;
  /** The number of bytes read. */
  position = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The next byte, or -1 at the end. */
  next(): number {
    if (this.#at === this.#length) {
      this.#length = readSync(this.#file, this.#buffer);
      this.#at = 0;
      if (this.#length === 0) return -1;
    }
    this.position++;
    return this.#buffer[this.#at++] ?? -1;
  }

  byte(): number {
    const byte = this.next();
    if (byte < 0) throw new Error('the file ends too early');
    return byte;
  }

  take(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at++) bytes[at] = this.byte();
    return bytes;
  }

  /** A number of up to four bytes, lowest first. */
  little(length: number): number {
    let value = 0;
    for (let at = 0; at < length; at++) value += this.byte() * 2 ** (8 * at);
    return value;
  }

  isAtEnd(): boolean {
    if (this.#at < this.#length) return false;
    this.#length = readSync(this.#file, this.#buffer);
    this.#at = 0;
    return this.#length === 0;
  }
}

/** The output of a decoder, with enough history for back-references. */
export class Window {
  readonly #bytes: Buffer;
  readonly #history: number;
  #start: number;
  #end: number;

  /** `history` is the furthest that a copy may reach back. */
  constructor(history: number) {
    this.#history = history;
    this.#bytes = Buffer.alloc(history + 256 * 1024);
    this.#start = 0;
    this.#end = 0;
  }

  get isFull(): boolean {
    return this.#end > this.#bytes.length - 66_000;
  }

  put(byte: number): void {
    if (this.#end === this.#bytes.length) throw new Error('a copy is longer than the format allows');
    this.#bytes[this.#end++] = byte;
  }

  copy(distance: number, length: number): void {
    if (distance < 1 || distance > this.#end || distance > this.#history)
      throw new Error('a copy reaches back before the start');
    for (let count = 0; count < length; count++) this.put(this.#bytes[this.#end - distance] ?? 0);
  }

  /** Returns the bytes since the last call; keeps the history that back-references need. */
  take(): Buffer {
    const fresh = Buffer.from(this.#bytes.subarray(this.#start, this.#end));
    const kept = Math.min(this.#end, this.#history);
    this.#bytes.copy(this.#bytes, 0, this.#end - kept, this.#end);
    this.#start = kept;
    this.#end = kept;
    return fresh;
  }
}
