import { ExpressionError } from '../error.ts';
import { GenerationCache } from '../generationCache.ts';
import { Decimal } from '../numbers/decimal.ts';
import { isNumeric } from '../numbers/number.ts';
import type { Session } from '../session.ts';
import { entriesOf, itemsOf, type PlainMap, put } from '../values/kind.ts';
import { parseJson } from '../values/parseJson.ts';
import { toPlain } from '../values/plain.ts';
import { Machine } from './evaluate.ts';
import { readLibrary } from './library.ts';
import { natives } from './natives.ts';
import type { Node } from './nodes.ts';
import { parseJq } from './parser.ts';
import { describe, JqError } from './values.ts';

const programs = new GenerationCache<string, Node>(500);

/** All results of a jq program on a value. Text is parsed as JSON first, as the reference does. */
export function runJq(program: string, input: unknown, session: Session): unknown[] {
  const node = programs.get(program) ?? parseJq(program);
  programs.set(program, node);
  const value = typeof input === 'string' ? parseJson(input) : toJsonValue(input, session);
  const results: unknown[] = [];
  try {
    const machine = new Machine(session, natives, readLibrary());
    for (const item of machine.run(node, { type: 'root' }, { value, path: null })) {
      results.push(item.value);
      session.checkItems(results.length);
    }
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    throw new ExpressionError(`jq '${program}' failed on ${describe(value)}: ${error.message}`, 'error', {
      cause: error,
    });
  }
  return results;
}

/** The value as JSON data, with the kinds of numbers kept; null members of maps are dropped. */
function toJsonValue(value: unknown, session: Session, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (isNumeric(value)) return value instanceof Decimal ? value.toNumber() : value;
  session.chargeCopy();
  session.checkDepth(depth);
  const items = itemsOf(value);
  if (items) return items.map((item) => toJsonValue(item, session, depth + 1));
  const entries = entriesOf(value);
  if (!entries) return toPlain(value, session);
  const map: PlainMap = {};
  for (const [key, item] of entries) {
    if (item !== null && item !== undefined) put(map, key, toJsonValue(item, session, depth + 1));
  }
  return map;
}
