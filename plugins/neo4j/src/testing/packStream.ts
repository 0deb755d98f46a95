/** The values of PackStream that the stub sends and receives. */

interface Structure {
  readonly tag: number;
  readonly fields: readonly unknown[];
}

export const isStructure = (value: unknown): value is Structure =>
  typeof value === 'object' && value !== null && 'tag' in value && 'fields' in value;

export function pack(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.from([0xc0]);
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === 'bigint') return sized(0xcb, 8, (bytes) => bytes.writeBigInt64BE(value));
  if (typeof value === 'number') return sized(0xc1, 8, (bytes) => bytes.writeDoubleBE(value));
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([sized(0xd2, 4, (bytes) => bytes.writeUInt32BE(text.length)), text]);
  }
  if (Array.isArray(value))
    return Buffer.concat([sized(0xd6, 4, (bytes) => bytes.writeUInt32BE(value.length)), ...value.map(pack)]);
  if (isStructure(value))
    return Buffer.concat([Buffer.from([0xb0 + value.fields.length, value.tag]), ...value.fields.map(pack)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    sized(0xda, 4, (bytes) => bytes.writeUInt32BE(entries.length)),
    ...entries.flatMap(([key, inner]) => [pack(key), pack(inner)]),
  ]);
}

function sized(mark: number, size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return Buffer.concat([Buffer.from([mark]), bytes]);
}

export function unpack(bytes: Buffer): unknown {
  let at = 0;
  const take = (size: number) => {
    at += size;
    return bytes.subarray(at - size, at);
  };
  const length = (size: number) => (size === 0 ? 0 : take(size).readUIntBE(0, size));
  const many = (count: number) => Array.from({ length: count }, () => next());
  const map = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, () => [String(next()), next()]));
  const next = (): unknown => {
    const mark = take(1).readUInt8();
    if (mark < 0x80) return BigInt(mark);
    if (mark >= 0xf0) return BigInt(mark - 0x100);
    if (mark < 0x90) return take(mark & 15).toString();
    if (mark < 0xa0) return many(mark & 15);
    if (mark < 0xb0) return map(mark & 15);
    if (mark < 0xc0) {
      const count = mark & 15;
      return { tag: take(1).readUInt8(), fields: many(count) };
    }
    switch (mark) {
      case 0xc0:
        return null;
      case 0xc1:
        return take(8).readDoubleBE();
      case 0xc2:
      case 0xc3:
        return mark === 0xc3;
      case 0xc8:
        return BigInt(take(1).readInt8());
      case 0xc9:
        return BigInt(take(2).readInt16BE());
      case 0xca:
        return BigInt(take(4).readInt32BE());
      case 0xcb:
        return take(8).readBigInt64BE();
      case 0xcc:
        return Buffer.from(take(length(1)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return take(length(2 ** (mark - 0xd0))).toString();
      case 0xd4:
      case 0xd5:
      case 0xd6:
        return many(length(2 ** (mark - 0xd4)));
      case 0xd8:
      case 0xd9:
      case 0xda:
        return map(length(2 ** (mark - 0xd8)));
      default:
        throw new Error(`The stub does not read the mark ${mark.toString(16)}.`);
    }
  };
  return next();
}
