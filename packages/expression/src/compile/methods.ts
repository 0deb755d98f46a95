import type { Context } from '../context.ts';
import { requireText, type Values } from '../definition.ts';
import { replaceLiteral } from '../regex/replace.ts';
import { splitText } from '../regex/split.ts';
import { entriesOf, isMap, itemsOf, readAttribute, sizeOf } from '../values/kind.ts';
import { contains } from './operators.ts';

type Method<T> = (target: T, args: Values, context: Context) => unknown;

const textMethods = new Map<string, Method<string>>([
  ['length', (text) => text.length],
  ['isEmpty', (text) => text === ''],
  ['toUpperCase', (text) => text.toUpperCase()],
  ['toLowerCase', (text) => text.toLowerCase()],
  ['trim', (text) => text.trim()],
  ['startsWith', (text, [prefix]) => text.startsWith(requireText(prefix, 'The prefix'))],
  ['endsWith', (text, [suffix]) => text.endsWith(requireText(suffix, 'The suffix'))],
  ['contains', (text, [part]) => text.includes(requireText(part, 'The part'))],
  [
    'replace',
    (text, [search, value], { session }) =>
      replaceLiteral(text, requireText(search, 'The search'), requireText(value, 'The replacement'), session),
  ],
  [
    'split',
    (text, [separator], context) =>
      splitText(text, requireText(separator, 'The delimiter'), 0, context.session),
  ],
]);

const mapMethods = new Map<string, Method<object>>([
  ['size', (map) => sizeOf(map)],
  ['isEmpty', (map) => sizeOf(map) === 0],
  ['get', (map, [key]) => readAttribute(map, key) ?? null],
  ['getOrDefault', (map, [key, fallback]) => readAttribute(map, key) ?? fallback],
  ['containsKey', (map, [key]) => readAttribute(map, key) !== undefined],
  ['keySet', (map) => (entriesOf(map) ?? []).map(([key]) => key)],
  ['values', (map) => (entriesOf(map) ?? []).map(([, value]) => value)],
]);

/** The few method calls flows are known to use. A closed list: no method of the host language is ever reached. */
export function callMethod(target: unknown, name: string, args: Values, context: Context): unknown {
  if (typeof target === 'string') return textMethods.get(name)?.(target, args, context);
  if (isMap(target)) return mapMethods.get(name)?.(target, args, context);
  const items = itemsOf(target);
  if (items && name === 'size') return items.length;
  if (items && name === 'contains') return contains(items, args[0] ?? null, context);
  if (items && name === 'isEmpty') return items.length === 0;
  return undefined;
}
