import { TaskFailed } from '@millrace/plugin-kit';

/** The basic encoding rules of ASN.1, as far as SNMP needs them: a tag, a length and the content. */
export const tags = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  ipAddress: 0x40,
  timeTicks: 0x43,
  get: 0xa0,
  response: 0xa2,
  trapV1: 0xa4,
  inform: 0xa6,
  trapV2: 0xa7,
  report: 0xa8,
} as const;

export function encode(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const digits = length < 0x80 ? [] : bytesOf(length);
  const head = digits.length === 0 ? [length] : [0x80 | digits.length, ...digits];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer =>
  encode(tags.sequence, Buffer.concat(parts));
export const octets = (content: string | Uint8Array): Buffer => encode(tags.octets, Buffer.from(content));

/** A number without sign, which gets a zero in front when its first bit is set. */
export function integer(value: number, tag: number = tags.integer): Buffer {
  const bytes = bytesOf(value);
  return encode(tag, Buffer.from((bytes[0] ?? 0) & 0x80 ? [0, ...bytes] : bytes));
}

function bytesOf(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes.length === 0 ? [0] : bytes;
}

export function oid(text: string): Buffer {
  const arcs = text.replace(/^\./, '').split('.').map(Number);
  const [first = 0, second = 0, ...rest] = arcs;
  if (arcs.length < 2 || arcs.some((arc) => !Number.isInteger(arc) || arc < 0 || arc >= 2 ** 32))
    throw new TaskFailed(`"${text}" must be an object identifier such as 1.3.6.1.4.1.8072.2.3.0.1.`, {
      retry: false,
    });
  return encode(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(inSevens)));
}

function inSevens(arc: number): number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

export interface Value {
  readonly tag: number;
  readonly content: Buffer;
}

/** The values that follow each other in the bytes. */
export function decode(bytes: Buffer): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const digits = first < 0x80 ? 0 : first & 0x7f;
    const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits);
    const start = at + 2 + digits;
    if (start + length > bytes.length) throw new Error('A value is cut off.');
    values.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}

export const inside = (value: Value | undefined): Value[] => (value ? decode(value.content) : []);
export const numberOf = (value: Value | undefined): number =>
  value ? value.content.reduce((sum, byte) => sum * 256 + byte, 0) : 0;
