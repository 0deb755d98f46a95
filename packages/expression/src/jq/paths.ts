import { ExpressionError } from '../error.ts';
import type { Session } from '../session.ts';
import { isPlainMap, plainMapOf, put } from '../values/kind.ts';
import { asObject, compareValues, describe, JqError, numberOf, typeOf } from './values.ts';

export type Path = readonly unknown[];

/** `.[key]` on a value; null has every key, with the value null. */
export function indexValue(value: unknown, key: unknown, session: Session): unknown {
  const type = typeOf(value);
  const keyType = typeOf(key);
  if (type === 'object' && keyType === 'string') {
    const name = String(key);
    return Object.hasOwn(asObject(value), name) ? (asObject(value)[name] ?? null) : null;
  }
  if (type === 'array' && keyType === 'number') {
    const items = value as unknown[];
    const index = Math.floor(numberOf(key));
    return items[index < 0 ? items.length + index : index] ?? null;
  }
  if (type === 'null' && (keyType === 'string' || keyType === 'number' || keyType === 'null')) return null;
  if (isPlainMap(key) && (type === 'null' || type === 'array' || type === 'string')) {
    return sliceValue(value, key.start ?? null, key.end ?? null);
  }
  if (type === 'array' && keyType === 'array') return findAll(value as unknown[], key as unknown[], session);
  if (keyType === 'string') throw new JqError(`Cannot index ${type} with "${key}"`);
  throw new JqError(`Cannot index ${type} with ${keyType}`);
}

export function sliceValue(value: unknown, from: unknown, to: unknown): unknown {
  if (value === null) return null;
  if (typeOf(value) !== 'array' && typeOf(value) !== 'string')
    throw new JqError(`Cannot index ${typeOf(value)} with object`);
  const [start, end] = sliceBounds(
    typeof value === 'string' ? [...value].length : (value as unknown[]).length,
    from,
    to,
  );
  if (typeof value === 'string') return [...value].slice(start, end).join('');
  return (value as unknown[]).slice(start, end);
}

export function getPath(value: unknown, path: Path, session: Session): unknown {
  let current = value;
  for (const key of path) {
    if (current === null) return null;
    current = indexValue(current, key, session);
  }
  return current;
}

/** A copy of the value with another one at the path; missing containers are made. */
export function setPath(value: unknown, path: Path, replacement: unknown, session: Session): unknown {
  if (path.length === 0) return replacement;
  const [key, ...rest] = path;
  session.charge(1);
  if (typeof key === 'string') {
    if (value !== null && typeOf(value) !== 'object')
      throw new JqError(`Cannot index ${typeOf(value)} with "${key}"`);
    const copy = plainMapOf(Object.entries(asObject(value)));
    session.charge(Object.keys(copy).length);
    put(copy, key, setPath(indexValue(copy, key, session), rest, replacement, session));
    return copy;
  }
  if (value !== null && typeOf(value) !== 'array')
    throw new JqError(`Cannot update ${describe(value)} at a position`);
  const items = (value ?? []) as unknown[];
  session.charge(items.length);
  return typeOf(key) === 'number'
    ? setIndex(items, numberOf(key), rest, replacement, session)
    : setSlice(items, key, rest, replacement, session);
}

/** A copy without the given paths; the last paths are deleted first, so that the others stay valid. */
export function deletePaths(value: unknown, paths: readonly Path[], session: Session): unknown {
  const ordered = [...paths].sort((a, b) => compareValues(b, a, session));
  return ordered.reduce((current, path) => deletePath(current, path, session), value);
}

function deletePath(value: unknown, path: Path, session: Session): unknown {
  if (value === null || path.length === 0) return null;
  const [key, ...rest] = path;
  session.charge(1);
  if (rest.length > 0) {
    const inner = indexValue(value, key, session);
    return inner === null ? value : setPath(value, [key], deletePath(inner, rest, session), session);
  }
  if (typeOf(value) === 'object' && typeof key === 'string') {
    return plainMapOf(Object.entries(asObject(value)).filter(([name]) => name !== key));
  }
  if (!Array.isArray(value))
    throw new JqError(`Cannot delete field at ${typeOf(key)} index of ${typeOf(value)}`);
  session.charge(value.length);
  if (isPlainMap(key)) {
    const [start, end] = sliceBounds(value.length, key.start ?? null, key.end ?? null);
    return [...value.slice(0, start), ...value.slice(end)];
  }
  const index = Math.floor(numberOf(key));
  const at = index < 0 ? value.length + index : index;
  return value.filter((_, position) => position !== at);
}

function setIndex(
  items: unknown[],
  key: number,
  rest: Path,
  replacement: unknown,
  session: Session,
): unknown[] {
  const index = key < 0 ? items.length + Math.floor(key) : Math.floor(key);
  if (index < 0) throw new JqError('Out of bounds negative array index');
  if (index >= session.limits.maxItems)
    throw new ExpressionError(`The array index ${index} is too large`, 'limit');
  const copy = [...items];
  while (copy.length < index) copy.push(null);
  copy[index] = setPath(items[index] ?? null, rest, replacement, session);
  return copy;
}

function setSlice(
  items: unknown[],
  key: unknown,
  rest: Path,
  replacement: unknown,
  session: Session,
): unknown[] {
  const bounds = asObject(key);
  const [start, end] = sliceBounds(items.length, bounds.start ?? null, bounds.end ?? null);
  const inner = setPath(items.slice(start, end), rest, replacement, session);
  if (!Array.isArray(inner)) throw new JqError('A slice of an array can only be assigned another array');
  return [...items.slice(0, start), ...inner, ...items.slice(end)];
}

function sliceBounds(length: number, from: unknown, to: unknown): [number, number] {
  for (const bound of [from, to]) {
    if (bound !== null && typeOf(bound) !== 'number')
      throw new JqError('Start and end indices of an array slice must be numbers');
  }
  const clamp = (value: number) => Math.max(0, Math.min(length, value < 0 ? value + length : value));
  const start = from === null ? 0 : clamp(Math.floor(numberOf(from)));
  const end = to === null ? length : clamp(Math.ceil(numberOf(to)));
  return [start, Math.max(start, end)];
}

function findAll(items: readonly unknown[], wanted: readonly unknown[], session: Session): number[] {
  const found: number[] = [];
  if (wanted.length === 0) return found;
  for (let at = 0; at + wanted.length <= items.length; at++) {
    if (wanted.every((item, offset) => compareValues(item, items[at + offset], session) === 0))
      found.push(at);
  }
  return found;
}
