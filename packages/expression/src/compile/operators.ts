import type { Context } from '../context.ts';
import { Temporal } from '../dates/temporal.ts';
import { nameOf } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { calculate, compareNumbers } from '../numbers/arithmetic.ts';
import { isNumeric } from '../numbers/number.ts';
import { areEqual, identityOf } from '../values/equal.ts';
import { entriesOf, isMap, itemsOf, readAttribute } from '../values/kind.ts';
import { concatText, javaText } from '../values/text.ts';

/** `+`: text concatenates, a list on the left grows, everything else is a sum. */
export function add(left: unknown, right: unknown, { session }: Context): unknown {
  if (typeof left === 'number' && typeof right === 'number') return calculate('+', left, right);
  if (typeof left === 'string' || typeof right === 'string') {
    const text = javaText(left, session) + javaText(right, session);
    session.checkText(text.length);
    return text;
  }
  const items = itemsOf(left);
  if (!items) return calculate('+', left, right);
  const added = itemsOf(right) ?? [right];
  session.charge(items.length + added.length);
  session.checkItems(items.length + added.length);
  return [...items, ...added];
}

/** `-`: a list on the left loses elements, everything else is a difference. */
export function subtract(left: unknown, right: unknown, { session }: Context): unknown {
  const items = itemsOf(left);
  if (!items) return calculate('-', left, right);
  const removed = new Set((itemsOf(right) ?? [right]).map((item) => identityOf(item, session)));
  return items.filter((item) => !removed.has(identityOf(item, session)));
}

export function concatenate(left: unknown, right: unknown, { session }: Context): string {
  const text = concatText(left, session) + concatText(right, session);
  session.checkText(text.length);
  return text;
}

/** The order of two values; NaN, for which every comparison is false, when one of them is null. */
export function order(left: unknown, right: unknown): number {
  if (left === null || right === null) return Number.NaN;
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (left instanceof Temporal && right instanceof Temporal && left.kind === right.kind) {
    return compareTimes(left, right);
  }
  throw new ExpressionError(`Could not perform comparison of ${nameOf(left)} with ${nameOf(right)}`);
}

export function contains(left: unknown, right: unknown, { session }: Context): boolean {
  if (left === null) return false;
  if (typeof left === 'string') return left.includes(javaText(right, session));
  if (isMap(left))
    return readAttribute(left, typeof right === 'string' ? right : javaText(right, session)) !== undefined;
  const items = itemsOf(left);
  if (!items) throw new ExpressionError(`Could not perform contains on ${nameOf(left)}`);
  const wanted = itemsOf(right);
  if (!wanted) return items.some((item) => areEqual(item, right, session));
  const present = new Set(items.map((item) => identityOf(item, session)));
  return wanted.every((item) => present.has(identityOf(item, session)));
}

/** Compares by text: `1 isIn ['1']` holds. */
export function isIn(left: unknown, right: unknown, { session }: Context): boolean {
  if (left === null || right === null) return false;
  const text = javaText(left, session);
  const matches = (item: unknown) => item !== null && javaText(item, session) === text;
  const items = itemsOf(right);
  if (items) return items.some(matches);
  return (entriesOf(right) ?? []).some(([key, value]) => key === text || matches(value));
}

function compareTimes(left: Temporal, right: Temporal): number {
  const a = left as unknown as { [field: string]: number }; // same class, and every field but kind and zone is a number
  const b = right as unknown as { [field: string]: number };
  for (const field of ['epochSecond', 'localSecond', 'epochDay', 'secondOfDay', 'seconds', 'nano']) {
    const difference = (a[field] ?? 0) - (b[field] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
