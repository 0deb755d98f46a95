import { Decimal, double, parseInstant, parseLocalDate } from '@millrace/expression';
import { isMap, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';

type Row = Record<string, unknown>;

/** Converts the values of a result, which are lists of texts, to typed rows. */
export function rowReader(rowType: Json): (values: readonly unknown[]) => Row {
  const fields = mapsAt(rowType, 'fields').map((field, index) => ({
    name: textAt(field, 'name') || `column_${index}`,
    read: readerOf(mapAt(field, 'type')),
  }));
  return (values) => Object.fromEntries(fields.map(({ name, read }, index) => [name, read(values[index])]));
}

type Reader = (value: unknown) => unknown;

function readerOf(type: Json): Reader {
  const read = plainReader(type);
  return (value) => (value === null || value === undefined ? null : read(value));
}

function plainReader(type: Json): Reader {
  switch (textAt(type, 'code')) {
    case 'INT64':
      return (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(String(value)));
    case 'FLOAT64':
    case 'FLOAT32':
      return (value) => double(Number(value));
    case 'NUMERIC':
      return (value) => Decimal.parse(String(value)) ?? String(value);
    case 'TIMESTAMP':
      return (value) => parseInstant(String(value)) ?? String(value);
    case 'DATE':
      return (value) => parseLocalDate(String(value)) ?? String(value);
    case 'BYTES':
      return (value) => Buffer.from(String(value), 'base64');
    case 'JSON':
      return (value) => JSON.parse(String(value));
    case 'ARRAY': {
      const read = readerOf(mapAt(type, 'arrayElementType'));
      return (value) => (Array.isArray(value) ? value.map(read) : []);
    }
    case 'STRUCT': {
      const read = rowReader(mapAt(type, 'structType'));
      return (value) => read(Array.isArray(value) ? value : []);
    }
    default:
      return (value) => value;
  }
}

/** Parameters of a statement with their types. */
export function toParameters(parameters: Json | undefined): Json {
  if (!parameters) return {};
  const params: Record<string, unknown> = {};
  const paramTypes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(parameters)) {
    const [code, written] = toParameter(value);
    params[name] = written;
    if (code !== undefined) paramTypes[name] = code;
  }
  return { params, paramTypes };
}

/** Text is sent without a type, so that Spanner infers the date or number that the statement needs. */
function toParameter(value: unknown): readonly [Json | undefined, unknown] {
  if (typeof value === 'number')
    return Number.isInteger(value) ? [{ code: 'INT64' }, String(value)] : [{ code: 'FLOAT64' }, value];
  if (typeof value === 'boolean') return [{ code: 'BOOL' }, value];
  if (Array.isArray(value)) {
    const items = value.map(toParameter);
    return [
      { code: 'ARRAY', arrayElementType: items[0]?.[0] ?? { code: 'STRING' } },
      items.map(([, item]) => item),
    ];
  }
  if (isMap(value)) return [{ code: 'JSON' }, JSON.stringify(value)];
  return [undefined, value ?? null];
}
