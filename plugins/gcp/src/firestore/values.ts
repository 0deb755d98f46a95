import { isMap, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';

/** A value as Firestore writes it: a map with one key that names its kind. */
export function toValue(value: unknown): Json {
  if (value === null || value === undefined) return { nullValue: null };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { integerValue: String(value) } : { doubleValue: value };
  if (typeof value === 'bigint') return { integerValue: String(value) };
  if (value instanceof Date) return { timestampValue: value.toISOString() };
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } };
  return isMap(value) ? { mapValue: { fields: toFields(value) } } : { stringValue: String(value) };
}

export const toFields = (document: Json): Json =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, toValue(value)]));

function fromValue(value: Json): unknown {
  const [[kind, content] = []] = Object.entries(value);
  switch (kind) {
    case undefined:
    case 'nullValue':
      return null;
    case 'integerValue':
      return Number.isSafeInteger(Number(content)) ? Number(content) : String(content);
    case 'doubleValue':
      return Number(content);
    case 'arrayValue':
      return mapsAt(mapAt(value, 'arrayValue'), 'values').map(fromValue);
    case 'mapValue':
      return fromFields(mapAt(mapAt(value, 'mapValue'), 'fields'));
    // Text, booleans, dates, bytes in Base64 and references to other documents stay unchanged.
    default:
      return content;
  }
}

export const fromFields = (fields: Json): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isMap(value) ? fromValue(value) : null]),
  );

export const fieldsOf = (document: Json): Record<string, unknown> => fromFields(mapAt(document, 'fields'));

/** A field path in a filter; a name with special characters is quoted. */
export const toFieldPath = (field: string): string =>
  field
    .split('.')
    .map((name) =>
      /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
    )
    .join('.');

export const timeOf = (json: Json): string | undefined =>
  textAt(json, 'updateTime') ?? textAt(json, 'commitTime');
