import { instant, localDateTime, localTime, withZone } from '../base/dateTexts.js';
import { doubleValue, exactNumber, parseExactJson } from '../base/exactNumber.js';

/** The server's metadata of a column. */
export interface MysqlColumn {
  readonly name: string;
  readonly columnType: number;
  readonly columnLength: number;
  readonly characterSet: number;
  /** MariaDB sends JSON as text and marks it here. */
  readonly extendedFormat?: string;
}

export type ReadCell = (value: unknown) => unknown;

const binaryCharacterSet = 63;
const types = {
  decimal: 0,
  tiny: 1,
  float: 4,
  double: 5,
  timestamp: 7,
  longlong: 8,
  time: 11,
  datetime: 12,
  bit: 16,
  json: 245,
  newDecimal: 246,
  geometry: 255,
} as const;

const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('utf8') : String(value));
const base64 = (value: unknown): string =>
  Buffer.from(value instanceof Uint8Array ? value : textOf(value)).toString('base64');
const decimal: ReadCell = (value) => exactNumber(textOf(value));

/** Reads the values of a column; `serverZone` is the time zone in which the server sends timestamps. */
export function cellReader(column: MysqlColumn, serverZone: string): ReadCell {
  const { columnType, columnLength, characterSet } = column;
  switch (columnType) {
    case types.decimal:
    case types.newDecimal:
    case types.longlong:
      return decimal;
    case types.tiny:
      // TINYINT(1) is how MySQL stores a boolean.
      return columnLength === 1 ? (value) => Number(value) !== 0 : Number;
    case types.float:
    case types.double:
      return (value) => doubleValue(Number(value));
    case types.timestamp:
      return (value) => instant(withZone(textOf(value), serverZone));
    case types.datetime:
      return (value) => localDateTime(textOf(value));
    case types.time:
      return (value) => localTime(textOf(value));
    case types.bit:
      return columnLength === 1 ? isSet : base64;
    case types.json:
      return readJson;
    case types.geometry:
      return (value) => JSON.parse(JSON.stringify(value));
    default:
      if (column.extendedFormat === 'json') return readJson;
      return (value) =>
        Buffer.isBuffer(value)
          ? characterSet === binaryCharacterSet
            ? base64(value)
            : textOf(value)
          : value;
  }
}

const isSet: ReadCell = (value) => (Buffer.isBuffer(value) ? value.at(-1) === 1 : Number(value) === 1);

/** The library has read some JSON already. */
function readJson(value: unknown): unknown {
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return value;
  try {
    return parseExactJson(textOf(value));
  } catch {
    return textOf(value);
  }
}
