import { isInteger } from '../numbers/number.ts';

/** A map as plain data: own keys of a bare object. Anything with behaviour is not a map. */
export type PlainMap = { [key: string]: unknown };

/** True for bare objects only; class instances, functions and other host objects are no data. */
export function isPlainMap(value: unknown): value is PlainMap {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // The second check accepts bare objects of another realm, whose root prototype is not ours.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function isMap(value: unknown): value is PlainMap | Map<unknown, unknown> {
  return isPlainMap(value) || value instanceof Map;
}

/** The items of a list or set; null when the value is neither. */
export function itemsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  return value instanceof Set ? [...value] : null;
}

/** The entries of a map in order; null when the value is no map. */
export function entriesOf(value: unknown): [string, unknown][] | null {
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item]);
  return isPlainMap(value) ? Object.entries(value) : null;
}

export function sizeOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map || value instanceof Set) return value.size;
  return isPlainMap(value) ? Object.keys(value).length : null;
}

/** Sets any key as data, `__proto__` included. */
export function put(map: PlainMap, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    map[key] = value;
  }
}

/**
 * A map with its entries in the order given; for a duplicate key the last value wins. JavaScript puts keys
 * such as `10` before all others, so a map that has one is kept as a real Map.
 */
export function mapOf(entries: readonly (readonly [string, unknown])[]): PlainMap | Map<string, unknown> {
  const map = plainMapOf(entries);
  return Object.keys(map).some(isIndexKey) ? new Map(entries) : map;
}

/** As `mapOf`, for callers that need a bare object and not its order. */
export function plainMapOf(entries: Iterable<readonly [string, unknown]>): PlainMap {
  const map: PlainMap = {};
  for (const [key, value] of entries) put(map, key, value);
  return map;
}

function isIndexKey(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57;
}

/**
 * Reads a key of a map or an index of a list; undefined means not found. Only own properties of plain data are
 * ever read, so `constructor` and `__proto__` are ordinary missing keys.
 */
export function readAttribute(holder: unknown, key: unknown): unknown {
  if (Array.isArray(holder)) return holder[indexOf(key)];
  if (isPlainMap(holder)) {
    const name = typeof key === 'string' ? key : String(key);
    return Object.hasOwn(holder, name) ? holder[name] : undefined;
  }
  if (holder instanceof Map) return holder.get(typeof key === 'string' ? key : String(key));
  if (holder instanceof Set) return [...holder][indexOf(key)];
  return undefined;
}

/** -1, which no list has, for everything that is not an index. */
function indexOf(key: unknown): number {
  if (isInteger(key)) return Number(key) >= 0 ? Number(key) : -1;
  return typeof key === 'string' && /^\d{1,15}$/.test(key) ? Number(key) : -1;
}
