import {
  Decimal,
  Instant,
  LocalDate,
  LocalDateTime,
  Real,
  Temporal,
  ZonedDateTime,
} from '@millrace/expression';
import { readIonText } from '@millrace/plugin-kit';
import type { Node, PathStep } from './parse.ts';

/** A record that an expression cannot be evaluated with. */
export class WrongRecord extends Error {}

/** The names by which an expression finds its fields. */
export type Scope = (name: string) => unknown;

export const fieldsOf =
  (record: unknown): Scope =>
  (name) =>
    isMap(record) && Object.hasOwn(record, name) ? record[name] : null;

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(
    value instanceof Temporal ||
    value instanceof Decimal ||
    value instanceof Real ||
    value instanceof Uint8Array
  );

/** Returns a value in place of a call, for example the already computed sum of a group. */
export type Replace = (node: Node) => { readonly value: unknown } | undefined;

/** Evaluates an expression. Arithmetic is exact; missing values are null, and null propagates. */
export function evaluate(node: Node, scope: Scope, replace?: Replace): unknown {
  const replaced = replace?.(node);
  if (replaced) return replaced.value;
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'path':
      return follow(node.steps, scope);
    case 'call':
      return call(
        node.name,
        node.args.map((arg) => evaluate(arg, scope, replace)),
      );
    case 'unary': {
      const operand = evaluate(node.operand, scope, replace);
      if (operand === null) return null;
      return node.operator === '!'
        ? !asBoolean(operand)
        : plainNumber(new Decimal(0n, 0).subtract(asDecimal(operand)));
    }
    case 'binary':
      return binary(
        node.operator,
        () => evaluate(node.left, scope, replace),
        () => evaluate(node.right, scope, replace),
      );
  }
}

function follow(steps: readonly PathStep[], scope: Scope): unknown {
  const [first, ...rest] = steps;
  return first?.kind === 'field' ? walk(scope(first.name) ?? null, rest) : null;
}

export function walk(start: unknown, steps: readonly PathStep[]): unknown {
  let value = start;
  for (const [index, step] of steps.entries()) {
    if (value === null || value === undefined) return null;
    if (step.kind === 'each') {
      if (!Array.isArray(value)) throw new WrongRecord(`${describe(value)} is no list`);
      const rest = steps.slice(index + 1);
      return value.map((item) => walk(item, rest));
    }
    if (step.kind === 'index') value = Array.isArray(value) ? value[step.index] : null;
    else value = fieldsOf(value)(step.name);
  }
  return value ?? null;
}

function binary(operator: string, left: () => unknown, right: () => unknown): unknown {
  if (operator === '&&' || operator === '||') {
    const decisive = operator === '||';
    const first = left();
    if (first !== null && asBoolean(first) === decisive) return decisive;
    const second = right();
    if (second !== null && asBoolean(second) === decisive) return decisive;
    return first === null || second === null ? null : !decisive;
  }
  const [a, b] = [left(), right()];
  if (operator === '==' || operator === '!=') return isEqual(a, b) === (operator === '==');
  if (a === null || b === null) return null;
  switch (operator) {
    case '>':
      return compare(a, b) > 0;
    case '>=':
      return compare(a, b) >= 0;
    case '<':
      return compare(a, b) < 0;
    case '<=':
      return compare(a, b) <= 0;
    case '+':
      return plainNumber(asDecimal(a).add(asDecimal(b)));
    case '-':
      return plainNumber(asDecimal(a).subtract(asDecimal(b)));
    case '*':
      return plainNumber(asDecimal(a).multiply(asDecimal(b)));
    default:
      return divide(asDecimal(a), asDecimal(b));
  }
}

/** Rounds to ten decimal places, half away from zero; a division by zero yields null. */
export function divide(a: Decimal, b: Decimal): unknown {
  if (b.unscaled === 0n) return null;
  const scale = Math.max(a.scale, b.scale);
  const [numerator, denominator] = [a.rescaled(scale) * 10n ** 11n, b.rescaled(scale)];
  const quotient = numerator / denominator;
  const rounded = (quotient + (quotient < 0n ? -5n : 5n)) / 10n;
  return plainNumber(new Decimal(rounded, 10));
}

/** Integers as such; a fraction without the zeros at its end. */
export function plainNumber(value: Decimal): unknown {
  const short = value.stripZeros(0);
  if (short.scale > 0) return short;
  const whole = short.rescaled(0);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

const describe = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

export function asDecimal(value: unknown): Decimal {
  const decimal = decimalOf(value);
  if (!decimal) throw new WrongRecord(`${describe(value)} is no number`);
  return decimal;
}

export function decimalOf(value: unknown): Decimal | null {
  if (value instanceof Decimal) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? Decimal.parse(String(value)) : null;
  if (typeof value === 'bigint') return new Decimal(value, 0);
  if (value instanceof Real) return decimalOf(value.value);
  return typeof value === 'string' ? Decimal.parse(value.trim()) : null;
}

function asBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new WrongRecord(`${describe(value)} is neither true nor false`);
}

const isNumber = (value: unknown): boolean => typeof value !== 'string' && decimalOf(value) !== null;

function isEqual(a: unknown, b: unknown): boolean {
  if (a === null || b === null) return a === b;
  if (isNumber(a) && isNumber(b)) return asDecimal(a).compare(asDecimal(b)) === 0;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (a instanceof Temporal || b instanceof Temporal) return String(a) === String(b);
  return a === b;
}

export function compare(a: unknown, b: unknown): number {
  if (isNumber(a) || isNumber(b)) return asDecimal(a).compare(asDecimal(b));
  const [left, right] = [momentOf(a), momentOf(b)];
  if (left !== undefined && right !== undefined) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof a === typeof b && (typeof a === 'string' || typeof a === 'boolean'))
    return String(a) < String(b) ? -1 : a === b ? 0 : 1;
  throw new WrongRecord(`${describe(a)} and ${describe(b)} cannot be compared`);
}

/** Nanoseconds since the epoch; a date with a text is compared when the text is one too. */
function momentOf(value: unknown): bigint | undefined {
  const time = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? timeOf(value) : value;
  if (time instanceof Instant || time instanceof ZonedDateTime) return nanos(time.epochSecond, time.nano);
  if (time instanceof LocalDateTime) return nanos(time.localSecond, time.nano);
  return time instanceof LocalDate ? nanos(time.epochDay * 86_400, 0) : undefined;
}

const nanos = (second: number, nano: number): bigint => BigInt(second) * 1_000_000_000n + BigInt(nano);

/** Parses a text as a date or time; null when it is neither. */
export function timeOf(text: string): Temporal | null {
  try {
    const value = readIonText(
      /\dT\d/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `LocalDateTime::"${text}"` : text,
    );
    return value instanceof Temporal ? value : null;
  } catch {
    return null;
  }
}

/** Lists among the arguments count by their items; nulls do not count. */
const itemsOf = (args: readonly unknown[]): unknown[] =>
  args.flat(8).filter((item) => item !== null && item !== undefined);

export function sumOf(values: readonly unknown[]): Decimal {
  return values.reduce<Decimal>((sum, value) => sum.add(asDecimal(value)), new Decimal(0n, 0));
}

function call(name: string, args: readonly unknown[]): unknown {
  const [first = null] = args;
  const items = () => itemsOf(args);
  switch (name) {
    case 'toint':
      return first === null ? null : cast(first, 'INT');
    case 'todecimal':
      return first === null ? null : cast(first, 'DECIMAL');
    case 'tostring':
      return first === null ? null : cast(first, 'STRING');
    case 'toboolean':
      return first === null ? null : cast(first, 'BOOLEAN');
    case 'parsetimestamp':
      return first === null ? null : cast(first, 'TIMESTAMP');
    case 'sum':
      return items().length === 0 ? null : plainNumber(sumOf(items()));
    case 'avg':
      return items().length === 0 ? null : divide(sumOf(items()), new Decimal(BigInt(items().length), 0));
    case 'count':
      return items().length;
    case 'min':
      return items().reduce((best, item) => (best === null || compare(item, best) < 0 ? item : best), null);
    case 'max':
      return items().reduce((best, item) => (best === null || compare(item, best) > 0 ? item : best), null);
    case 'coalesce':
      return args.find((arg) => arg !== null && arg !== undefined) ?? null;
    case 'concat':
      return args
        .flat(1)
        .map((arg) => (arg === null ? '' : cast(arg, 'STRING')))
        .join('');
    default:
      throw new WrongRecord(`there is no function "${name}"`);
  }
}

export const functionNames = new Set(
  'toint todecimal tostring toboolean parsetimestamp sum avg count min max coalesce concat'.split(' '),
);

export const castTypes = [
  'STRING',
  'INT',
  'FLOAT',
  'DECIMAL',
  'BOOLEAN',
  'TIMESTAMP',
  'LIST',
  'STRUCT',
] as const;
export type CastType = (typeof castTypes)[number];

export function cast(value: unknown, type: CastType): unknown {
  switch (type) {
    case 'STRING':
      return typeof value === 'string' ? value : textOf(value);
    case 'INT':
      return plainNumber(truncate(asDecimal(value)));
    case 'FLOAT':
      return new Real(asDecimal(value).toNumber());
    case 'DECIMAL':
      return asDecimal(value);
    case 'BOOLEAN':
      return toBoolean(value);
    case 'TIMESTAMP':
      return toTimestamp(value);
    case 'LIST':
      if (Array.isArray(value)) return value;
      throw new WrongRecord(`${describe(value)} is no list`);
    case 'STRUCT':
      if (isMap(value)) return value;
      throw new WrongRecord(`${describe(value)} is no map`);
  }
}

function textOf(value: unknown): string {
  if (value instanceof Real) return String(value.value);
  return typeof value === 'object' && (Array.isArray(value) || isMap(value))
    ? JSON.stringify(value)
    : String(value);
}

const truncate = (value: Decimal): Decimal =>
  value.scale <= 0 ? value : new Decimal(value.unscaled / 10n ** BigInt(value.scale), 0);

function toBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (isNumber(value)) return asDecimal(value).unscaled !== 0n;
  throw new WrongRecord(`${describe(value)} is neither true nor false`);
}

function toTimestamp(value: unknown): Instant {
  const time = typeof value === 'string' ? timeOf(value.trim()) : value;
  if (time instanceof Instant) return time;
  if (time instanceof ZonedDateTime) return new Instant(time.epochSecond, time.nano);
  if (time instanceof LocalDateTime) return new Instant(time.localSecond, time.nano);
  if (time instanceof LocalDate) return new Instant(time.epochDay * 86_400, 0);
  if (typeof time === 'number' && Number.isInteger(time))
    return new Instant(Math.floor(time / 1000), (time - Math.floor(time / 1000) * 1000) * 1e6);
  throw new WrongRecord(`${describe(value)} is no timestamp`);
}
