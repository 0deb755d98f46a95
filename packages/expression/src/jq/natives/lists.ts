import type { Session } from '../../session.ts';
import { isPlainMap } from '../../values/kind.ts';
import { parseJson } from '../../values/parseJson.ts';
import { operate } from '../operators.ts';
import { indexValue } from '../paths.ts';
import {
  asObject,
  compareValues,
  describe,
  JqError,
  numberOf,
  sortedKeys,
  toJson,
  toText,
  typeOf,
} from '../values.ts';
import { type Natives, simple, withArgument } from './native.ts';

type Machine = Parameters<Natives[string]>[0];
type Closure = Parameters<Natives[string]>[1][number];

/** Functions on arrays and objects, and on values of any kind. */
export const listNatives: Natives = {
  'type/0': simple(typeOf),
  'length/0': simple(lengthOf),
  'keys/0': simple((value) => keysOf(value, true)),
  'keys_unsorted/0': simple((value) => keysOf(value, false)),
  'has/1': withArgument(hasKey),
  'contains/1': withArgument((value, other, session) => containsValue(value, other, session)),
  'add/0': simple((value, session) =>
    valuesOf(value).reduce((sum, item) => operate('+', sum, item, session), null),
  ),
  'reverse/0': simple((value) =>
    value === null
      ? []
      : typeof value === 'string'
        ? [...value].reverse().join('')
        : [...requireArray(value)].reverse(),
  ),
  'flatten/1': withArgument((value, depth, session) => {
    if (numberOf(depth) < 0) throw new JqError('flatten depth must not be negative');
    return flatten(requireArray(value), numberOf(depth), session);
  }),
  'sort_by/1': keyed((groups) => groups.flatMap(([, items]) => items)),
  'group_by/1': keyed((groups) => groups.map(([, items]) => items)),
  'unique_by/1': keyed((groups) => groups.map(([, items]) => items[0] ?? null)),
  '_extreme/2': function* run(machine, [key, direction], input) {
    if (!key || !direction) return;
    const items = requireArray(input.value).map((item) => ({ item, key: [...machine.values(key, item)] }));
    for (const sign of machine.values(direction, null)) {
      let best = items[0];
      for (const each of items) {
        const order = compareValues(each.key, best?.key, machine.session) * numberOf(sign);
        // Among equals the greatest is the last and the least is the first.
        if (order > 0 || (order === 0 && numberOf(sign) > 0)) best = each;
      }
      yield { value: best?.item ?? null, path: null };
    }
  },
  'indices/1': withArgument((value, wanted, session) => indicesOf(value, wanted, session)),
  'index/1': withArgument((value, wanted, session) => indicesOf(value, wanted, session)?.at(0) ?? null),
  'rindex/1': withArgument((value, wanted, session) => indicesOf(value, wanted, session)?.at(-1) ?? null),
  'tojson/0': simple((value, session) => toJson(value, session)),
  'fromjson/0': simple((value) => {
    if (typeof value !== 'string') throw new JqError(`${describe(value)} only strings can be parsed`);
    try {
      return parseJson(value);
    } catch {
      throw new JqError(`${value.slice(0, 50)} (while parsing '${value.slice(0, 50)}')`);
    }
  }),
  'tostring/0': simple((value, session) => toText(value, session)),
};

/** Sorts by the values of a key, and passes on the items grouped by equal keys. */
function keyed(finish: (groups: readonly (readonly [unknown[], unknown[]])[]) => unknown): Natives[string] {
  return function* run(machine, [key], input) {
    if (!key) return;
    yield { value: finish(groupBy(machine, key, requireArray(input.value))), path: null };
  };
}

function groupBy(machine: Machine, key: Closure, items: readonly unknown[]): [unknown[], unknown[]][] {
  const entries = items.map((item) => ({ key: [...machine.values(key, item)], item }));
  machine.session.charge(entries.length * 8);
  entries.sort((a, b) => compareValues(a.key, b.key, machine.session));
  const groups: [unknown[], unknown[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && compareValues(last[0], entry.key, machine.session) === 0) last[1].push(entry.item);
    else groups.push([entry.key, [entry.item]]);
  }
  return groups;
}

function lengthOf(value: unknown): number {
  switch (typeOf(value)) {
    case 'null':
      return 0;
    case 'number':
      return Math.abs(numberOf(value));
    case 'string':
      return [...String(value)].length;
    case 'boolean':
      throw new JqError(`${describe(value)} has no length`);
    default:
      return valuesOf(value).length;
  }
}

function keysOf(value: unknown, isSorted: boolean): unknown[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  if (!isPlainMap(value)) throw new JqError(`${describe(value)} has no keys`);
  return isSorted ? sortedKeys(value) : Object.keys(value);
}

function hasKey(value: unknown, key: unknown): boolean {
  if (isPlainMap(value) && typeof key === 'string') return Object.hasOwn(value, key);
  if (Array.isArray(value) && typeOf(key) === 'number')
    return numberOf(key) >= 0 && numberOf(key) < value.length;
  throw new JqError(`Cannot check whether ${typeOf(value)} has a ${typeOf(key)} key`);
}

function containsValue(value: unknown, other: unknown, session: Session): boolean {
  session.charge(1);
  if (isPlainMap(value) && isPlainMap(other)) {
    return Object.entries(other).every(
      ([key, item]) => Object.hasOwn(value, key) && containsValue(value[key], item, session),
    );
  }
  if (Array.isArray(value) && Array.isArray(other)) {
    return other.every((item) =>
      value.some((own) => typeOf(own) === typeOf(item) && containsValue(own, item, session)),
    );
  }
  if (typeof value === 'string' && typeof other === 'string') return value.includes(other);
  if (typeOf(value) === typeOf(other)) return compareValues(value, other, session) === 0;
  throw new JqError(`${describe(value)} and ${describe(other)} cannot have their containment checked`);
}

function flatten(items: readonly unknown[], depth: number, session: Session): unknown[] {
  const flat: unknown[] = [];
  for (const item of items) {
    session.charge(1);
    if (Array.isArray(item) && depth > 0)
      for (const inner of flatten(item, depth - 1, session)) flat.push(inner);
    else flat.push(item);
    session.checkItems(flat.length);
  }
  return flat;
}

function indicesOf(value: unknown, wanted: unknown, session: Session): number[] | null {
  if (value === null) return null;
  if (typeof value === 'string' && typeof wanted === 'string') {
    const found: number[] = [];
    if (wanted === '') return found;
    for (let at = value.indexOf(wanted); at >= 0; at = value.indexOf(wanted, at + 1))
      found.push([...value.slice(0, at)].length);
    return found;
  }
  const items = requireArray(value);
  return indexValue(items, Array.isArray(wanted) ? wanted : [wanted], session) as number[]; // an array indexed by an array gives positions
}

function valuesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isPlainMap(value)) return Object.values(asObject(value));
  throw new JqError(`Cannot iterate over ${value === null ? 'null' : describe(value)}`);
}

function requireArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new JqError(`${describe(value)} is not an array`);
  return value;
}
