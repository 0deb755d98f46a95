/** The maximum size of outputs, which later tasks, the API and the store read; larger data needs a file. */
const maxOutputBytes = 16 * 1_048_576;
const maxDepth = 500;

/**
 * Converts a value to its JSON form. Plain data is returned unchanged; dates, maps and similar values are
 * converted as a reload would, so that a running execution sees the same outputs as a restarted one.
 */
export function toJsonValue(value: unknown): unknown {
  const size = measure(value, 0);
  if (size > maxOutputBytes) {
    throw new Error(
      `The outputs are larger than ${maxOutputBytes / 1_048_576} MB; write them to a file instead.`,
    );
  }
  if (size >= 0) return value;
  const text = JSON.stringify(value);
  if (text.length > maxOutputBytes) {
    throw new Error(
      `The outputs are larger than ${maxOutputBytes / 1_048_576} MB; write them to a file instead.`,
    );
  }
  return JSON.parse(text);
}

const notPlain = -1;

/** An estimated size, or `notPlain` when a part is not plain JSON. */
function measure(value: unknown, depth: number): number {
  if (depth > maxDepth) throw new Error(`The outputs nest deeper than ${maxDepth} levels.`);
  switch (typeof value) {
    case 'string':
      return value.length;
    case 'number':
      return Number.isFinite(value) ? 8 : notPlain;
    case 'boolean':
      return 4;
    case 'object':
      return value === null ? 4 : measureObject(value, depth);
    case 'bigint':
      throw new Error(`The outputs cannot be stored: ${value} is a number that JSON does not have.`);
    default:
      return notPlain;
  }
}

function measureObject(value: object, depth: number): number {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return sumOf(value, depth);
  const isPlain = (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
  if (!isPlain) return notPlain;
  const keys = Object.keys(value);
  const inner = sumOf(Object.values(value), depth);
  return inner < 0 ? inner : keys.reduce((size, key) => size + key.length + 4, inner);
}

function sumOf(items: readonly unknown[], depth: number): number {
  let size = 2;
  for (const item of items) {
    const part = measure(item, depth + 1);
    if (part < 0) return notPlain;
    size += part;
    if (size > maxOutputBytes) return size;
  }
  return size;
}
