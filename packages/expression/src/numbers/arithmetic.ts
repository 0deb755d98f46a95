import { ExpressionError } from '../error.ts';
import type { Decimal } from './decimal.ts';
import {
  double,
  float,
  integer,
  isIntegral,
  isNumeric,
  kindOf,
  kinds,
  type Numeric,
  toBigInt,
  toDecimal,
  toDouble,
} from './number.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

const names = { '+': 'addition', '-': 'subtraction', '*': 'multiplication', '/': 'division', '%': 'modulus' };

/** Arithmetic by the rules of the reference: 64-bit integers that wrap, doubles, floats and exact decimals. */
export function calculate(operator: ArithmeticOperator, left: unknown, right: unknown): Numeric {
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
    const quick = calculateSmall(operator, left as number, right as number);
    if (Number.isSafeInteger(quick)) return quick;
  }
  const a = toOperand(operator, left);
  const b = toOperand(operator, right);
  const kind = Math.max(kindOf(a), kindOf(b));
  if (kind === kinds.integer) return calculateLong(operator, toBigInt(a as bigint), toBigInt(b as bigint));
  if (kind === kinds.decimal) {
    const result = calculateDecimal(operator, toDecimal(a), toDecimal(b));
    bounded(result.unscaled);
    return result;
  }
  if (kind === kinds.float) {
    return float(calculateDouble(operator, Math.fround(toDouble(a)), Math.fround(toDouble(b))));
  }
  return double(calculateDouble(operator, toDouble(a), toDouble(b)));
}

export function negate(value: unknown): Numeric {
  if (!isNumeric(value)) throw new ExpressionError(`Could not perform negation of ${describe(value)}`);
  if (typeof value === 'number' && isIntegral(value)) return value === 0 ? 0 : -value;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return BigInt.asIntN(64, -value);
  if (kindOf(value) === kinds.double) return double(-toDouble(value));
  if (kindOf(value) === kinds.float) return float(-toDouble(value));
  return calculate('-', 0, value);
}

/** Orders two numbers of any kind; NaN has no order, so every comparison with it is false. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === 'number' && typeof b === 'number')
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  const kind = Math.max(kindOf(a), kindOf(b));
  if (kind === kinds.float || kind === kinds.double) {
    const x = toDouble(a);
    const y = toDouble(b);
    return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
  }
  return toDecimal(a).compare(toDecimal(b));
}

function calculateSmall(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b || 0;
    case '/':
      return b === 0 ? Number.NaN : Math.trunc(a / b) || 0;
    case '%':
      return b === 0 ? Number.NaN : a % b || 0;
  }
}

function calculateLong(operator: ArithmeticOperator, a: bigint, b: bigint): number | bigint {
  if (b === 0n && (operator === '/' || operator === '%')) throw new ExpressionError('Division by zero');
  const exact =
    operator === '+'
      ? a + b
      : operator === '-'
        ? a - b
        : operator === '*'
          ? a * b
          : operator === '/'
            ? a / b
            : a % b;
  // Integers wider than 64 bits only come from parsed data and keep their width.
  return integer(fitsLong(a) && fitsLong(b) ? BigInt.asIntN(64, exact) : bounded(exact));
}

/** Repeated squaring would double the digits of a wide number every time. */
function bounded(value: bigint): bigint {
  if (value >> 33_000n !== 0n && value >> 33_000n !== -1n) {
    throw new ExpressionError('The number has more than 10000 digits', 'limit');
  }
  return value;
}

function fitsLong(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function calculateDouble(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

function calculateDecimal(operator: ArithmeticOperator, a: Decimal, b: Decimal): Decimal {
  switch (operator) {
    case '+':
      return a.add(b);
    case '-':
      return a.subtract(b);
    case '*':
      return a.multiply(b);
  }
  if (b.unscaled === 0n) throw new ExpressionError('Division by zero');
  return operator === '/' ? a.divide(b) : a.remainder(b);
}

/** Numeric text counts as a number everywhere but in `+`, where text always concatenates. */
function toOperand(operator: ArithmeticOperator, value: unknown): Numeric {
  if (isNumeric(value)) return value;
  if (typeof value === 'string' && operator !== '+') {
    if (/^[+-]?\d{1,40}$/.test(value)) return integer(BigInt.asIntN(64, BigInt(value)));
    if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value)) return double(Number(value));
  }
  throw new ExpressionError(`Could not perform ${names[operator]} on ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `the text '${value.slice(0, 50)}'`;
  return Array.isArray(value) ? 'a list' : `a ${typeof value === 'object' ? 'map' : typeof value}`;
}
