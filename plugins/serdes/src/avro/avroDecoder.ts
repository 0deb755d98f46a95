import { Decimal, double, Instant, LocalDate, LocalDateTime, LocalTime } from '@millrace/expression';
import { fromTwosComplement } from './avroEncoder.ts';
import type { ColumnType } from './columnType.ts';

/** Thrown when the bytes end inside a value; more bytes may follow. */
export class MissingBytes extends Error {}

const maxDepth = 500;

/** Reads values in Avro's binary form, as they are kept in rows. */
export class AvroDecoder {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  read(type: ColumnType, depth = 0): unknown {
    if (depth > maxDepth) throw new Error(`the value nests deeper than ${maxDepth} levels`);
    switch (type.kind) {
      case 'null':
        return null;
      case 'boolean':
        return this.take(1)[0] === 1;
      case 'float':
        return double(this.take(4).readFloatLE());
      case 'double':
        return double(this.take(8).readDoubleLE());
      case 'string':
      case 'uuid':
        return this.bytes().toString('utf8');
      case 'bytes':
        return Buffer.from(this.bytes());
      case 'fixed':
        return Buffer.from(this.take(type.size));
      case 'enum':
        return type.symbols[this.count()] ?? fail('an enum has no such symbol');
      case 'decimal': {
        const bytes = type.fixed ? this.take(type.fixed.size) : this.bytes();
        return new Decimal(fromTwosComplement(bytes), type.scale);
      }
      case 'union': {
        const branch = type.branches[this.count()] ?? fail('a union has no such branch');
        return this.read(branch, depth + 1);
      }
      case 'list': {
        const items: unknown[] = [];
        this.#blocks(() => items.push(this.read(type.item, depth + 1)));
        return items;
      }
      case 'map': {
        const map = new Map<string, unknown>();
        this.#blocks(() => map.set(this.bytes().toString('utf8'), this.read(type.value, depth + 1)));
        return map;
      }
      case 'record': {
        const record = new Map<string, unknown>();
        for (const field of type.fields) record.set(field.name, this.read(field.type, depth + 1));
        return record;
      }
      default:
        return fromStored(type.kind, this.long());
    }
  }

  #blocks(readItem: () => void): void {
    for (;;) {
      let count = this.long();
      if (count === 0n) return;
      // A negative count is followed by the size of the block, which helps to skip it.
      if (count < 0n) {
        this.long();
        count = -count;
      }
      // Items can have zero bytes, so a few bytes could encode an unlimited number of items.
      if (count > 100_000_000n) throw new Error('a block has more items than a file can have');
      for (let item = 0n; item < count; item++) readItem();
    }
  }

  long(): bigint {
    let value = 0n;
    let low = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw new MissingBytes('the file ends inside a value');
      this.at++;
      if (shift < 28) low |= (byte & 0x7f) << shift;
      else value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) break;
      if (shift > 63) throw new Error('a number is longer than 64 bits');
    }
    value |= BigInt(low);
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  /** A number that counts or points at something. */
  count(): number {
    const value = this.long();
    if (value < 0n || value > 0x7fff_ffffn) throw new Error(`${value} is no count`);
    return Number(value);
  }

  bytes(): Buffer {
    return this.take(this.count());
  }

  take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.#bytes.length) throw new MissingBytes('the file ends inside a value');
    const bytes = this.#bytes.subarray(this.at, end);
    this.at = end;
    return bytes;
  }
}

function fail(problem: string): never {
  throw new Error(problem);
}

/** The row value of a number that encodes a date or time in Avro or Parquet. */
export function fromStored(kind: string, stored: number | bigint): unknown {
  const value = BigInt(stored);
  switch (kind) {
    case 'date':
      return new LocalDate(Number(value));
    case 'time-millis':
      return timeOf(value * 1_000_000n);
    case 'time-micros':
      return timeOf(value * 1000n);
    case 'time-nanos':
      return timeOf(value);
    case 'timestamp-millis':
      return split(value * 1_000_000n, (second, nano) => new Instant(second, nano));
    case 'timestamp-micros':
      return split(value * 1000n, (second, nano) => new Instant(second, nano));
    case 'timestamp-nanos':
      return split(value, (second, nano) => new Instant(second, nano));
    case 'local-timestamp-millis':
      return split(value * 1_000_000n, (second, nano) => new LocalDateTime(second, nano));
    case 'local-timestamp-micros':
      return split(value * 1000n, (second, nano) => new LocalDateTime(second, nano));
    case 'local-timestamp-nanos':
      return split(value, (second, nano) => new LocalDateTime(second, nano));
    default:
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
}

const timeOf = (nanos: bigint): LocalTime => split(nanos, (second, nano) => new LocalTime(second, nano));

function split<T>(nanos: bigint, make: (second: number, nano: number) => T): T {
  const nano = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return make(Number((nanos - nano) / 1_000_000_000n), Number(nano));
}
