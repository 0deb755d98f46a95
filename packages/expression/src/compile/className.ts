import { Temporal } from '../dates/temporal.ts';
import { Decimal } from '../numbers/decimal.ts';
import { isInteger, isNumeric, kindOf, kinds } from '../numbers/number.ts';
import type { Expression } from '../syntax/nodes.ts';
import { isMap } from '../values/kind.ts';

const arithmetic = new Set(['+', '-', '*', '/', '%']);

/** The Java class the reference would report: a debugging aid, true for the kinds flows can tell apart. */
export function classNameOf(value: unknown, origin: Expression): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (isInteger(value)) return integerClass(value, origin);
  if (value instanceof Decimal) return 'java.math.BigDecimal';
  if (isNumeric(value)) return kindOf(value) === kinds.float ? 'java.lang.Float' : 'java.lang.Double';
  if (isMap(value)) return origin.type === 'map' ? 'java.util.HashMap' : 'java.util.LinkedHashMap';
  if (value instanceof Temporal) return `java.time.${value.kind}`;
  return 'java.util.ArrayList';
}

/** A bigint within 64 bits is a long; for a smaller number its origin decides. */
function integerClass(value: number | bigint, origin: Expression): string {
  if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) return 'java.math.BigInteger';
  if (isBigInteger(origin)) return 'java.math.BigInteger';
  const fitsInt = value >= -2_147_483_648 && value <= 2_147_483_647;
  return typeof value === 'bigint' || isComputed(origin) || !fitsInt ? 'java.lang.Long' : 'java.lang.Integer';
}

const longFilters = new Set(['timestamp', 'timestampMilli', 'timestampMicro', 'timestampNano']);

function isComputed(origin: Expression): boolean {
  if (origin.type === 'literal') return true;
  if (origin.type === 'unary') return origin.operator !== 'not';
  if (origin.type === 'binary') return arithmetic.has(origin.operator);
  if (origin.type !== 'filter') return false;
  return longFilters.has(origin.name) || (origin.name === 'abs' && isComputed(origin.input));
}

/** True for `number('BIGINTEGER')`. */
function isBigInteger(origin: Expression): boolean {
  if (origin.type !== 'filter') return false;
  if (origin.name === 'abs') return isBigInteger(origin.input);
  const type = origin.args.positional[0] ?? origin.args.named.find(({ name }) => name === 'type')?.value;
  if (origin.name !== 'number' || type?.type !== 'literal') return false;
  return String(type.value).toUpperCase() === 'BIGINTEGER';
}
