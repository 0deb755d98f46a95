/** A value of MongoDB as flows use it: ids as text, dates in ISO form, bytes as base64. */
export function toPlain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toPlain);
  const type = '_bsontype' in value ? String(value._bsontype) : undefined;
  if (type === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
  if (type === 'Int32' || type === 'Double') return Number(value);
  if (type === 'Binary' && 'buffer' in value && value.buffer instanceof Uint8Array)
    return Buffer.from(value.buffer).toString('base64');
  if (type === 'Timestamp' && 'getHighBits' in value && typeof value.getHighBits === 'function')
    return new Date(Number(value.getHighBits()) * 1_000).toISOString();
  return String(value);
}
