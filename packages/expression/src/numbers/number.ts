import { Decimal } from './decimal.ts';

/**
 * A floating-point number whose kind or digits would be lost in a JavaScript number: a double of integral value
 * (`10.0`) or with zeros at its end (`20.50`), or a single-precision float. Plain JavaScript numbers are integers when integral and doubles otherwise; integers
 * that do not fit safely are bigints.
 */
export class Real {
  readonly value: number;
  readonly single: boolean;
  /** The digits as they were written in data, when the usual text of the value has fewer: `20.00`. */
  readonly digits?: string;

  constructor(value: number, single = false, digits?: string) {
    this.value = value;
    this.single = single;
    if (digits !== undefined) this.digits = digits;
  }

  /** `JSON.stringify` writes it as a plain number. */
  toJSON(): number {
    return this.value;
  }
}

export type Numeric = number | bigint | Real | Decimal;

/** In rising order of precedence: the kind of a result is the highest kind among its operands. */
export const kinds = { integer: 0, float: 1, double: 2, decimal: 3 } as const;
export type NumericKind = (typeof kinds)[keyof typeof kinds];

const longEdge = 2 ** 63;

export function isNumeric(value: unknown): value is Numeric {
  const type = typeof value;
  if (type === 'number' || type === 'bigint') return true;
  return value instanceof Real || value instanceof Decimal;
}

export function kindOf(value: Numeric): NumericKind {
  if (typeof value === 'number') return isIntegral(value) ? kinds.integer : kinds.double;
  if (typeof value === 'bigint') return kinds.integer;
  if (value instanceof Real) return value.single ? kinds.float : kinds.double;
  return kinds.decimal;
}

/** Integral and within 64 bits; 1e21 from the outside can only have been a double. */
export function isIntegral(value: number): boolean {
  return Number.isInteger(value) && value < longEdge && value >= -longEdge;
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && isIntegral(value));
}

/** A double result, boxed only when a plain number would be mistaken for an integer. */
export function double(value: number): number | Real {
  return isIntegral(value) ? new Real(value) : value;
}

export function float(value: number): Real {
  return new Real(Math.fround(value), true);
}

/** An integer result in its usual form: a number when that is exact, else a bigint. */
export function integer(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

export function toDouble(value: Numeric): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Real ? value.value : value.toNumber();
}

export function toBigInt(value: number | bigint): bigint {
  return typeof value === 'bigint' ? value : BigInt(value);
}

export function toDecimal(value: Numeric): Decimal {
  if (value instanceof Decimal) return value;
  if (isInteger(value)) return new Decimal(toBigInt(value), 0);
  return Decimal.parse(String(toDouble(value))) ?? new Decimal(0n, 0);
}
