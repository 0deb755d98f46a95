import { Decimal, double, Instant, parseInstant, parseLocalDate } from '@millrace/expression';
import { parseLocalTime } from '@millrace/plugin-kit';
import { isMap, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';

type Row = Record<string, unknown>;

type Reader = (value: unknown) => unknown;

/** Converts the rows of a result, whose cells are all text, to typed values. */
export function rowReader(schema: Json): (row: Json) => Row {
  const fields = mapsAt(schema, 'fields').map((field) => ({
    name: textAt(field, 'name') ?? '',
    read: readerOf(field),
  }));
  return (row) => {
    const cells = mapsAt(row, 'f');
    return Object.fromEntries(fields.map(({ name, read }, index) => [name, read(cells[index]?.v)]));
  };
}

function readerOf(field: Json): Reader {
  const read = scalarReader(field);
  if (textAt(field, 'mode') === 'REPEATED')
    return (value) =>
      Array.isArray(value) ? value.map((item) => (isMap(item) ? orNull(read, item.v) : null)) : [];
  return (value) => orNull(read, value);
}

const orNull = (read: Reader, value: unknown): unknown =>
  value === null || value === undefined ? null : read(value);

function scalarReader(field: Json): Reader {
  const type = textAt(field, 'type') ?? 'STRING';
  if (type === 'RECORD' || type === 'STRUCT') {
    const read = rowReader(field);
    return (value) => (isMap(value) ? read(value) : null);
  }
  if (type === 'RANGE') return rangeReader(mapAt(field, 'rangeElementType'));
  return readers[type] ?? String;
}

const readInteger: Reader = (value) => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(String(value));
};
const readDouble: Reader = (value) => {
  const text = String(value);
  const special = {
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    '-Infinity': Number.NEGATIVE_INFINITY,
  };
  return double(special[text as keyof typeof special] ?? Number(text));
};
const readFlag: Reader = (value) => String(value) === 'true';

/** Results are requested with timestamps in microseconds; a range contains SQL text. */
const readTimestamp: Reader = (value) => {
  const text = String(value);
  if (!/^-?\d+$/.test(text))
    return parseInstant(text.replace(' ', 'T').replace(/ ?(UTC|\+00(:00)?)$/, 'Z')) ?? text;
  const micros = BigInt(text);
  const second = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
  return new Instant(Number(second), Number(micros - second * 1_000_000n) * 1000);
};

/** A point is a pair of longitude and latitude; other shapes stay text. */
const readGeography: Reader = (value) => {
  const [, x, y] = /^POINT ?\(([-\d.e+]+) ([-\d.e+]+)\)$/i.exec(String(value)) ?? [];
  return x === undefined ? String(value) : [double(Number(x)), double(Number(y))];
};

const readJson: Reader = (value) => {
  try {
    return JSON.parse(String(value));
  } catch {
    return String(value);
  }
};

const readers: Readonly<Record<string, Reader>> = {
  BOOL: readFlag,
  BOOLEAN: readFlag,
  BYTES: (value) => Buffer.from(String(value), 'base64'),
  INTEGER: readInteger,
  INT64: readInteger,
  FLOAT: readDouble,
  FLOAT64: readDouble,
  NUMERIC: readDouble,
  BIGNUMERIC: (value) => Decimal.parse(String(value)) ?? String(value),
  DATE: (value) => parseLocalDate(String(value)) ?? String(value),
  DATETIME: (value) => `${String(value)}Z`,
  TIME: (value) => parseLocalTime(String(value)) ?? String(value),
  TIMESTAMP: readTimestamp,
  GEOGRAPHY: readGeography,
  JSON: readJson,
};

/** `[2020-01-01, 2020-12-31)`, where an end without a limit is `UNBOUNDED`. */
function rangeReader(elementType: Json): Reader {
  const read = readers[textAt(elementType, 'type') ?? ''] ?? String;
  const toEnd = (text: string | undefined) =>
    text === undefined || /^(UNBOUNDED|NULL)$/i.test(text.trim()) ? null : read(text.trim());
  return (value) => {
    const [, start, end] = /^\[(.*),(.*)\)$/.exec(String(value)) ?? [];
    return { start: toEnd(start), end: toEnd(end) };
  };
}
