import type { ColumnType } from './columnType.ts';
import type { Branch } from './convertRow.ts';

/** Writes converted values in Avro's binary form into a buffer that grows. */
export class AvroEncoder {
  #buffer = Buffer.alloc(64 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the written bytes and empties the encoder. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  /** Discards the bytes after this length. */
  truncate(length: number): void {
    this.#length = length;
  }

  write(type: ColumnType, value: unknown): void {
    switch (type.kind) {
      case 'null':
        return;
      case 'boolean':
        this.#byte(value === true ? 1 : 0);
        return;
      case 'int':
      case 'date':
      case 'time-millis':
        this.long(Number(value));
        return;
      case 'long':
      case 'time-micros':
      case 'timestamp-millis':
      case 'timestamp-micros':
      case 'local-timestamp-millis':
      case 'local-timestamp-micros':
        this.long(value as bigint); // the converter's type for these kinds
        return;
      case 'float':
        this.#reserve(4);
        this.#length = this.#buffer.writeFloatLE(Number(value), this.#length);
        return;
      case 'double':
        this.#reserve(8);
        this.#length = this.#buffer.writeDoubleLE(Number(value), this.#length);
        return;
      case 'string':
      case 'uuid':
        this.bytes(Buffer.from(String(value)));
        return;
      case 'bytes':
        this.bytes(value as Uint8Array); // as above
        return;
      default:
        this.#writeNested(type, value);
    }
  }

  #writeNested(type: ColumnType, value: unknown): void {
    switch (type.kind) {
      case 'fixed':
        this.#raw(value as Uint8Array); // of the right size, the converter has seen to it
        return;
      case 'enum':
        this.long(type.symbols.indexOf(String(value)));
        return;
      case 'decimal':
        if (type.fixed) this.#raw(twosComplement(value as bigint, type.fixed.size));
        else this.bytes(twosComplement(value as bigint));
        return;
      case 'union': {
        const branch = value as Branch; // union values are branches
        this.long(type.branches.indexOf(branch.type));
        this.write(branch.type, branch.value);
        return;
      }
      case 'list':
        this.#block(value as unknown[], (item) => this.write(type.item, item));
        return;
      case 'map':
        this.#block(Object.entries(value as object), ([key, item]) => {
          this.bytes(Buffer.from(key));
          this.write(type.value, item);
        });
        return;
      case 'record': {
        const fields = value as Record<string, unknown>;
        for (const field of type.fields) this.write(field.type, fields[field.name]);
      }
    }
  }

  #block<T>(items: readonly T[], write: (item: T) => void): void {
    if (items.length > 0) {
      this.long(items.length);
      for (const item of items) write(item);
    }
    this.long(0);
  }

  /** A zigzag number of variable length. */
  long(value: number | bigint): void {
    this.#reserve(10);
    if (typeof value === 'number' && Math.abs(value) < 0x3fff_ffff) {
      let rest = value >= 0 ? value * 2 : -value * 2 - 1;
      for (; rest > 0x7f; rest >>>= 7) this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      this.#buffer[this.#length++] = rest;
      return;
    }
    const integer = BigInt(value);
    let rest = BigInt.asUintN(64, (integer << 1n) ^ (integer >> 63n));
    for (; rest > 0x7fn; rest >>= 7n) this.#buffer[this.#length++] = Number(rest & 0x7fn) | 0x80;
    this.#buffer[this.#length++] = Number(rest);
  }

  bytes(bytes: Uint8Array): void {
    this.long(bytes.length);
    this.#raw(bytes);
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(this.#buffer.length * 2, this.#length + size));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** The big-endian bytes of a signed integer, in the shortest form unless `size` is set. */
export function twosComplement(value: bigint, size?: number): Uint8Array {
  let length = size ?? 1;
  if (size === undefined) while (BigInt.asIntN(length * 8, value) !== value) length++;
  const bytes = new Uint8Array(length);
  let rest = BigInt.asUintN(length * 8, value);
  for (let at = length - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

export function fromTwosComplement(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}
