import type { Session } from '../session.ts';
import { isPlainMap, itemsOf, type PlainMap, put } from './kind.ts';

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
  if (!isPlainMap(value)) return value;
  const map: PlainMap = {};
  for (const [key, item] of Object.entries(value)) {
    const name = change(key);
    if (!Object.hasOwn(map, name)) put(map, name, mapTexts(item, session, change, depth + 1));
  }
  return map;
}
