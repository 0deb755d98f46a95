/*
 * Rows of Tablestore as bytes ("PlainBuffer"): a header, then tags, each with its content. Every cell and every row
 * ends with a CRC-8 checksum, which the service verifies.
 */

export type Cell = string | bigint | number | boolean;

export interface Row {
  readonly key: Readonly<Record<string, Cell>>;
  readonly columns: Readonly<Record<string, Cell>>;
}

const header = 0x75;
const tags = {
  key: 1,
  data: 2,
  cell: 3,
  cellName: 4,
  cellValue: 5,
  cellType: 6,
  cellTimestamp: 7,
  deleteRow: 8,
  rowChecksum: 9,
  cellChecksum: 10,
} as const;
const types = { integer: 0, double: 1, boolean: 2, text: 3, blob: 7, minimum: 9, maximum: 10 } as const;

/** The polynomial x⁸ + x² + x + 1. */
const crcTable = Uint8Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1;
  return crc;
});
const crc8 = (crc: number, bytes: Iterable<number>): number => {
  let result = crc;
  for (const byte of bytes) result = crcTable[result ^ byte] ?? 0;
  return result;
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

function valueBytes(value: Cell): Buffer {
  if (typeof value === 'boolean') return Buffer.from([types.boolean, value ? 1 : 0]);
  if (typeof value === 'string') {
    const content = Buffer.from(value);
    return Buffer.concat([Buffer.from([types.text]), int32(content.length), content]);
  }
  const bytes = Buffer.alloc(9);
  bytes[0] = typeof value === 'bigint' ? types.integer : types.double;
  if (typeof value === 'bigint') bytes.writeBigInt64LE(BigInt.asIntN(64, value), 1);
  else bytes.writeDoubleLE(value, 1);
  return bytes;
}

function cell(name: string, value: Buffer): { readonly bytes: Buffer; readonly checksum: number } {
  const nameBytes = Buffer.from(name);
  const checksum = crc8(crc8(0, nameBytes), value);
  const bytes = Buffer.concat([
    Buffer.from([tags.cell, tags.cellName]),
    int32(nameBytes.length),
    nameBytes,
    Buffer.from([tags.cellValue]),
    int32(value.length),
    value,
    Buffer.from([tags.cellChecksum, checksum]),
  ]);
  return { bytes, checksum };
}

function encode(
  key: readonly (readonly [string, Buffer])[],
  columns: readonly (readonly [string, Buffer])[],
  isDeleted: boolean,
): Buffer {
  const keyCells = key.map(([name, value]) => cell(name, value));
  const columnCells = columns.map(([name, value]) => cell(name, value));
  const checksum = crc8(
    crc8(
      0,
      [...keyCells, ...columnCells].map((one) => one.checksum),
    ),
    [isDeleted ? 1 : 0],
  );
  return Buffer.concat([
    int32(header),
    Buffer.from([tags.key]),
    ...keyCells.map(({ bytes }) => bytes),
    ...(columns.length > 0 ? [Buffer.from([tags.data])] : []),
    ...columnCells.map(({ bytes }) => bytes),
    Buffer.from(isDeleted ? [tags.deleteRow] : []),
    Buffer.from([tags.rowChecksum, checksum]),
  ]);
}

const encoded = (cells: Readonly<Record<string, Cell>>) =>
  Object.entries(cells).map(([name, value]) => [name, valueBytes(value)] as const);

export const encodeRow = ({ key, columns }: Row): Buffer => encode(encoded(key), encoded(columns), false);
export const encodeDeletion = (key: Row['key']): Buffer => encode(encoded(key), [], true);
/** The key before all others, or after all others. */
export const encodeBound = (name: string, bound: 'minimum' | 'maximum'): Buffer =>
  encode([[name, Buffer.from([types[bound]])]], [], false);

/** Reads rows, one after the other. Checksums are not verified: HTTP already protects the response. */
export function decodeRows(bytes: Buffer): readonly Row[] {
  const rows: Row[] = [];
  if (bytes.length === 0) return rows;
  let at = 4;
  const readValue = (end: number): Cell | undefined => {
    const type = bytes[at];
    if (type === types.integer) return bytes.readBigInt64LE(at + 1);
    if (type === types.double) return bytes.readDoubleLE(at + 1);
    if (type === types.boolean) return bytes[at + 1] === 1;
    return type === types.text ? bytes.subarray(at + 5, end).toString('utf8') : undefined;
  };
  let key: Record<string, Cell> = {};
  let columns: Record<string, Cell> = {};
  let current = key;
  let name = '';
  while (at < bytes.length) {
    const tag = bytes[at++];
    if (tag === tags.key || tag === tags.data) {
      if (tag === tags.key) [key, columns] = [{}, {}];
      current = tag === tags.key ? key : columns;
    } else if (tag === tags.cellName || tag === tags.cellValue) {
      const length = bytes.readInt32LE(at);
      at += 4;
      if (tag === tags.cellName) name = bytes.subarray(at, at + length).toString('utf8');
      else {
        const value = readValue(at + length);
        if (value !== undefined) current[name] = value;
      }
      at += length;
    } else if (tag === tags.cellTimestamp) at += 8;
    else if (tag === tags.cellType || tag === tags.cellChecksum) at += 1;
    else if (tag === tags.rowChecksum) {
      at += 1;
      rows.push({ key, columns });
    } else if (tag !== tags.cell && tag !== tags.deleteRow)
      throw new RangeError(`The row has the unknown tag ${tag}.`);
  }
  return rows;
}
