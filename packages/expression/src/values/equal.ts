import { instantOf, Temporal } from '../dates/temporal.ts';
import { ExpressionError } from '../error.ts';
import { compareNumbers } from '../numbers/arithmetic.ts';
import { isNumeric, toDecimal, toDouble } from '../numbers/number.ts';
import type { Session } from '../session.ts';
import { entriesOf, isMap, itemsOf, readAttribute, sizeOf } from './kind.ts';

/** Deep equality: numbers by value across all kinds, everything else by kind and content. */
export function areEqual(a: unknown, b: unknown, session: Session, depth = 0): boolean {
  if (a === b) return true;
  if (a === null || b === null || a === undefined || b === undefined) return a == null && b == null;
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  session.charge(1);
  session.checkDepth(depth);
  const left = itemsOf(a);
  const right = itemsOf(b);
  if (left || right) {
    if (!left || !right || left.length !== right.length) return false;
    return left.every((item, index) => areEqual(item, right[index], session, depth + 1));
  }
  if (isMap(a) && isMap(b)) {
    if (sizeOf(a) !== sizeOf(b)) return false;
    return (entriesOf(a) ?? []).every(([key, item]) => {
      const other = readAttribute(b, key);
      return other !== undefined && areEqual(item, other, session, depth + 1);
    });
  }
  return areSameTime(a, b);
}

/** A text that two values share exactly when they are equal, so that sets of values need no pairwise comparing. */
export function identityOf(value: unknown, session: Session, depth = 0): string {
  session.chargeCopy();
  session.checkDepth(depth);
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (value === null || value === undefined) return 'n';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (isNumeric(value)) return `d${numberIdentity(value)}`;
  const items = itemsOf(value);
  if (items) return `[${items.map((item) => identityOf(item, session, depth + 1)).join()}]`;
  const entries = entriesOf(value);
  if (entries) {
    const parts = entries.map(
      ([key, item]) => `${key.length}:${key}=${identityOf(item, session, depth + 1)}`,
    );
    return `{${parts.sort().join()}}`;
  }
  const time = value instanceof Date ? instantOf(value) : value;
  if (time instanceof Temporal) return `${time.kind}${time.toString()}`;
  throw new ExpressionError('The value cannot be compared: it is not plain data');
}

function areSameTime(a: object, b: object): boolean {
  const left = a instanceof Date ? instantOf(a) : a;
  const right = b instanceof Date ? instantOf(b) : b;
  if (!(left instanceof Temporal) || !(right instanceof Temporal)) return false;
  return left.kind === right.kind && left.toString() === right.toString();
}

function numberIdentity(value: Parameters<typeof toDecimal>[0]): string {
  if (!Number.isFinite(toDouble(value))) return String(toDouble(value));
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  return toDecimal(value).stripZeros(0).toString();
}
