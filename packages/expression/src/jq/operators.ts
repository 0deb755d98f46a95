import { calculate } from '../numbers/arithmetic.ts';
import { isInteger, type Numeric } from '../numbers/number.ts';
import type { Session } from '../session.ts';
import { isPlainMap, plainMapOf, put } from '../values/kind.ts';
import { asObject, compareValues, describe, JqError, numberOf, typeOf } from './values.ts';

/** `a op b` for all operators but the lazy ones. */
export function operate(operator: string, a: unknown, b: unknown, session: Session): unknown {
  switch (operator) {
    case '==':
      return compareValues(a, b, session) === 0;
    case '!=':
      return compareValues(a, b, session) !== 0;
    case '<':
      return compareValues(a, b, session) < 0;
    case '<=':
      return compareValues(a, b, session) <= 0;
    case '>':
      return compareValues(a, b, session) > 0;
    case '>=':
      return compareValues(a, b, session) >= 0;
    case '+':
      return plus(a, b, session);
    case '-':
      return minus(a, b, session);
    case '*':
      return times(a, b, session);
    case '/':
      return divide(a, b);
    default:
      return remainder(a, b);
  }
}

function plus(a: unknown, b: unknown, session: Session): unknown {
  if (a === null) return b;
  if (b === null) return a;
  const type = typeOf(a);
  if (type !== typeOf(b)) throw new JqError(`${describe(a)} and ${describe(b)} cannot be added`);
  if (type === 'number') return exact('+', a, b) ?? numberOf(a) + numberOf(b);
  if (type === 'string') {
    session.checkText(String(a).length + String(b).length);
    return String(a) + String(b);
  }
  if (type === 'array') {
    const items = a as unknown[];
    const more = b as unknown[];
    session.checkItems(items.length + more.length);
    session.charge(items.length + more.length);
    return [...items, ...more];
  }
  if (type !== 'object') throw new JqError(`${describe(a)} and ${describe(b)} cannot be added`);
  const entries = [...Object.entries(asObject(a)), ...Object.entries(asObject(b))];
  session.charge(entries.length);
  session.checkItems(entries.length);
  return plainMapOf(entries);
}

function minus(a: unknown, b: unknown, session: Session): unknown {
  if (typeOf(a) === 'number' && typeOf(b) === 'number') return exact('-', a, b) ?? numberOf(a) - numberOf(b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.filter((item) => !b.some((other) => compareValues(item, other, session) === 0));
  throw new JqError(`${describe(a)} and ${describe(b)} cannot be subtracted`);
}

function times(a: unknown, b: unknown, session: Session): unknown {
  if (typeOf(a) === 'number' && typeOf(b) === 'number') return exact('*', a, b) ?? numberOf(a) * numberOf(b);
  if (typeof a === 'string' && typeOf(b) === 'number') return repeat(a, numberOf(b), session);
  if (typeof b === 'string' && typeOf(a) === 'number') return repeat(b, numberOf(a), session);
  if (isPlainMap(a) && isPlainMap(b)) return mergeDeep(a, b, session);
  throw new JqError(`${describe(a)} and ${describe(b)} cannot be multiplied`);
}

function repeat(text: string, count: number, session: Session): string | null {
  if (!(count > 0)) return null;
  const times = Math.max(1, Math.floor(count));
  session.checkText(text.length * times);
  return text.repeat(times);
}

function mergeDeep(a: { [key: string]: unknown }, b: { [key: string]: unknown }, session: Session): unknown {
  const merged = plainMapOf(Object.entries(a));
  session.charge(Object.keys(a).length + Object.keys(b).length);
  for (const [key, value] of Object.entries(b)) {
    const own = Object.hasOwn(merged, key) ? merged[key] : undefined;
    put(merged, key, isPlainMap(own) && isPlainMap(value) ? mergeDeep(own, value, session) : value);
  }
  return merged;
}

function divide(a: unknown, b: unknown): unknown {
  if (typeOf(a) === 'number' && typeOf(b) === 'number') {
    if (numberOf(b) === 0)
      throw new JqError(`${describe(a)} and ${describe(b)} cannot be divided because the divisor is zero`);
    return numberOf(a) / numberOf(b);
  }
  if (typeof a === 'string' && typeof b === 'string') return splitLiteral(a, b);
  throw new JqError(`${describe(a)} and ${describe(b)} cannot be divided`);
}

export function splitLiteral(text: string, separator: string): string[] {
  if (text === '') return [];
  return separator === '' ? [...text] : text.split(separator);
}

function remainder(a: unknown, b: unknown): unknown {
  if (typeOf(a) !== 'number' || typeOf(b) !== 'number')
    throw new JqError(`${describe(a)} and ${describe(b)} cannot be divided`);
  const divisor = Math.trunc(numberOf(b));
  if (divisor === 0)
    throw new JqError(`${describe(a)} and ${describe(b)} cannot be divided because the divisor is zero`);
  return Math.trunc(numberOf(a)) % Math.abs(divisor) || 0;
}

/** Integers of any size stay exact; null when one of the numbers has a fraction. */
function exact(operator: '+' | '-' | '*', a: unknown, b: unknown): Numeric | null {
  return isInteger(a) && isInteger(b) ? calculate(operator, a, b) : null;
}
