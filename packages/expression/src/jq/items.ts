import { calculate } from '../numbers/arithmetic.ts';
import type { Item, Items } from './scope.ts';
import { asObject, describe, JqError, numberOf, typeOf } from './values.ts';

/** A computed value has no place in the input; it fails only when it is used as a path. */
export function plain(value: unknown): Item {
  return { value, path: null };
}

/** Every member of an array or object, with its path. */
export function* iterate(target: Item): Items {
  const { value, path } = target;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      yield { value: value[index] ?? null, path: path && [...path, index] };
  } else if (typeOf(value) === 'object') {
    for (const [key, item] of Object.entries(asObject(value)))
      yield { value: item ?? null, path: path && [...path, key] };
  } else throw new JqError(`Cannot iterate over ${value === null ? 'null' : describe(value)}`);
}

export function negate(value: unknown): unknown {
  if (typeOf(value) !== 'number') throw new JqError(`${describe(value)} cannot be negated`);
  return typeof value === 'bigint' ? calculate('-', 0, value) : -numberOf(value) || 0;
}

/** The first of some values, boxed to distinguish null from none. */
export function first(values: Iterable<unknown>): { value: unknown } | null {
  for (const value of values) return { value };
  return null;
}
