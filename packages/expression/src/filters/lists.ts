import { order } from '../compile/operators.ts';
import type { Context } from '../context.ts';
import { type Filters, nameOf, requireInteger } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { identityOf } from '../values/equal.ts';
import { entriesOf, isMap, itemsOf, mapOf, sizeOf } from '../values/kind.ts';
import { concatText, javaText } from '../values/text.ts';

/** Filters on lists and maps. None changes its input. */
export const listFilters: Filters = {
  first: { names: [], run: (input) => pick(input, 'first', 0) },
  last: { names: [], run: (input) => pick(input, 'last', -1) },
  length: {
    names: [],
    acceptsNull: true,
    run: (input) => (typeof input === 'string' ? input.length : (sizeOf(input) ?? 0)),
  },
  join: {
    names: ['separator'],
    run: (input, [separator], { session }) => {
      const items = requireList(input, 'join');
      const between = concatText(separator ?? null, session);
      let text = '';
      items.forEach((item, index) => {
        text += (index > 0 ? between : '') + javaText(item, session);
        session.checkText(text.length);
      });
      return text;
    },
  },
  reverse: { names: [], run: (input) => [...requireList(input, 'reverse')].reverse() },
  sort: { names: [], run: (input, _, context) => sortList(input, 'sort', 1, context) },
  rsort: { names: [], run: (input, _, context) => sortList(input, 'rsort', -1, context) },
  slice: { names: ['fromIndex', 'toIndex'], run: (input, [from, to]) => slice(input, from, to) },
  chunk: {
    names: ['size'],
    required: 1,
    run: (input, [size], { session }) => {
      const items = requireList(input, 'chunk');
      const width = requireInteger(size, 'The size of chunk');
      if (width < 1) throw new ExpressionError('The size of chunk must be at least 1');
      session.charge(items.length);
      const chunks: unknown[] = [];
      for (let at = 0; at < items.length; at += width) chunks.push(items.slice(at, at + width));
      return chunks;
    },
  },
  flatten: {
    names: [],
    run: (input, _, { session }) => {
      const flat: unknown[] = [];
      for (const item of requireList(input, 'flatten')) {
        const inner = itemsOf(item) ?? [item];
        session.charge(inner.length);
        session.checkItems(flat.length + inner.length);
        for (const each of inner) flat.push(each);
      }
      return flat;
    },
  },
  distinct: {
    names: [],
    acceptsNull: true,
    run: (input, _, { session }) => {
      if (input === null) return 'null';
      const unique = new Map<string, unknown>();
      for (const item of requireList(input, 'distinct')) {
        const identity = identityOf(item, session);
        if (!unique.has(identity)) unique.set(identity, item);
      }
      return [...unique.values()];
    },
  },
  keys: {
    names: [],
    run: (input) => {
      const entries = entriesOf(input);
      return entries ? entries.map(([key]) => key) : requireList(input, 'keys').map((_, index) => index);
    },
  },
  values: {
    names: [],
    run: (input) => {
      const entries = entriesOf(input);
      if (!entries) throw new ExpressionError(`values needs a map, found ${nameOf(input)}`);
      return entries.map(([, value]) => value);
    },
  },
  merge: {
    names: ['items'],
    required: 1,
    acceptsNull: true,
    run: (input, [items], context) => merge(input, items ?? null, context),
  },
  default: {
    names: ['default'],
    required: 1,
    acceptsNull: true,
    run: (input, [fallback]) => (isBlank(input) ? (fallback ?? null) : input),
  },
};

/** Null, blank text, an empty list or map; 0 and false are something. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'string' ? value.trim() === '' : sizeOf(value) === 0;
}

function requireList(value: unknown, filter: string): readonly unknown[] {
  const items = itemsOf(value);
  if (!items) throw new ExpressionError(`${filter} needs a list, found ${nameOf(value)}`);
  return items;
}

function pick(input: unknown, filter: string, index: 0 | -1): unknown {
  if (typeof input === 'string') {
    if (input === '') throw new ExpressionError(`${filter} of an empty text`);
    return input.at(index);
  }
  const items = itemsOf(input) ?? (isMap(input) ? (entriesOf(input) ?? []).map(([, value]) => value) : null);
  if (!items) throw new ExpressionError(`${filter} needs a list or a text, found ${nameOf(input)}`);
  return items.at(index) ?? null;
}

function sortList(input: unknown, filter: string, direction: 1 | -1, { session }: Context): unknown[] {
  const items = [...requireList(input, filter)];
  session.charge(items.length);
  if (items.length > 1 && items.some((item) => item === null))
    throw new ExpressionError(`null value given to ${filter}`);
  return items.sort((a, b) => {
    if (typeof a === 'boolean' && typeof b === 'boolean') return direction * (Number(a) - Number(b));
    return direction * order(a, b);
  });
}

function slice(input: unknown, from: unknown, to: unknown): unknown {
  const source = typeof input === 'string' ? input : itemsOf(input);
  if (source === null) throw new ExpressionError(`slice needs a list or a text, found ${nameOf(input)}`);
  const start = from === undefined || from === null ? 0 : requireInteger(from, 'fromIndex');
  const end = to === undefined || to === null ? source.length : requireInteger(to, 'toIndex');
  if (start < 0 || end < 0) throw new ExpressionError('The indexes of slice must not be negative');
  if (end > source.length) throw new ExpressionError(`toIndex ${end} is beyond the length ${source.length}`);
  if (start >= end) throw new ExpressionError(`fromIndex ${start} must be below toIndex ${end}`);
  return source.slice(start, end);
}

function merge(left: unknown, right: unknown, { session }: Context): unknown {
  if (left === null || right === null) return left ?? right;
  session.charge((sizeOf(left) ?? 0) + (sizeOf(right) ?? 0));
  session.checkItems((sizeOf(left) ?? 0) + (sizeOf(right) ?? 0));
  const rightItems = itemsOf(right);
  const rightEntries = entriesOf(right);
  if (!rightItems && !rightEntries) throw new ExpressionError(`merge cannot add ${nameOf(right)}`);
  const leftEntries = entriesOf(left);
  if (leftEntries) {
    const added = rightEntries ?? (rightItems ?? []).map((item) => [javaText(item, session), item] as const);
    return mapOf([...leftEntries, ...added]);
  }
  const items = requireList(left, 'merge');
  return [...items, ...(rightItems ?? (rightEntries ?? []).map(([key, value]) => mapOf([[key, value]])))];
}
