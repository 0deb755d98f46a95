/*
 * Just enough of the wire format of Protocol Buffers for a few messages of one service: no schema, no groups, fields
 * are written in the order that the caller gives.
 */

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
};

const tag = (field: number, wireType: number): Buffer => varint(BigInt((field << 3) | wireType));

/** An integer, an enum value or a boolean. */
export const intField = (field: number, value: number | boolean): Buffer =>
  Buffer.concat([tag(field, 0), varint(BigInt(value))]);

/** A text, bytes or a message. */
export function bytesField(field: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([tag(field, 2), varint(BigInt(bytes.length)), bytes]);
}

export function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(field, 5), bytes]);
}

export const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);

/** A field of a message that was read: a varint as a number, everything else as its bytes. */
export interface Field {
  readonly number: number;
  readonly value: number;
  readonly bytes: Buffer;
}

export function readMessage(bytes: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new RangeError('A number in the message does not end.');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('The message is cut off.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const fixedSizes: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
  while (at < bytes.length) {
    const key = readVarint();
    const [number, wireType] = [key >> 3, key & 7];
    const fixed = fixedSizes[wireType];
    if (wireType === 0) fields.push({ number, value: readVarint(), bytes: Buffer.alloc(0) });
    else if (wireType === 2) fields.push({ number, value: 0, bytes: take(readVarint()) });
    else if (fixed !== undefined) fields.push({ number, value: 0, bytes: take(fixed) });
    else throw new RangeError(`The message has a field of the unknown kind ${wireType}.`);
  }
  return fields;
}

export const fieldsOf = (fields: readonly Field[], number: number): readonly Field[] =>
  fields.filter((field) => field.number === number);

export const textOf = (fields: readonly Field[], number: number): string =>
  fieldsOf(fields, number).at(-1)?.bytes.toString('utf8') ?? '';
