import { Duration, durationSeconds, instantOf, Temporal } from '../dates/temporal.ts';
import { ExpressionError } from '../error.ts';
import { isNumeric, toDouble } from '../numbers/number.ts';
import type { Session } from '../session.ts';
import { entriesOf, isPlainMap, itemsOf, type PlainMap, put } from './kind.ts';

/** A value as plain JSON data, as the rest of the product expects it. Throws for other objects. */
export function toPlain(value: unknown, session: Session, depth = 0): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (value === undefined) return null;
  if (isNumeric(value)) return toDouble(value);
  session.chargeCopy();
  session.checkDepth(depth);
  const items = itemsOf(value);
  if (items) return items.map((item) => toPlain(item, session, depth + 1));
  const entries = isPlainMap(value) ? Object.entries(value) : entriesOf(value);
  if (entries) {
    const map: PlainMap = {};
    for (const [key, item] of entries) put(map, key, toPlain(item, session, depth + 1));
    return map;
  }
  if (value instanceof Duration) return Number(durationSeconds(value));
  if (value instanceof Temporal) return value.jsonText(session.zone);
  if (value instanceof Date) return instantOf(value).toString();
  throw new ExpressionError('The value is not plain data');
}
