import type { Session } from '../session.ts';
import { entriesOf, itemsOf, plainMapOf } from './kind.ts';

/** Applies a function to every text of a structure, keys included; on colliding keys the first wins. */
export function mapTexts(
  value: unknown,
  session: Session,
  change: (text: string) => string,
  depth = 0,
): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  session.chargeCopy();
  session.checkDepth(depth);
  const items = itemsOf(value);
  if (items) return items.map((item) => mapTexts(item, session, change, depth + 1));
  const entries = entriesOf(value);
  if (!entries) return value;
  const changed = new Map<string, unknown>();
  for (const [key, item] of entries) {
    const name = change(key);
    if (!changed.has(name)) changed.set(name, mapTexts(item, session, change, depth + 1));
  }
  // Only an expression creates a Map; a bare object stays a bare object.
  return value instanceof Map ? changed : plainMapOf(changed);
}
