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

function integerClass(value: number | bigint, origin: Expression): string {
  if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) return 'java.math.BigInteger';
  const isComputed =
    origin.type === 'literal' ||
    (origin.type === 'unary' && origin.operator !== 'not') ||
    (origin.type === 'binary' && arithmetic.has(origin.operator));
  const fitsInt = value >= -2_147_483_648 && value <= 2_147_483_647;
  return isComputed || !fitsInt ? 'java.lang.Long' : 'java.lang.Integer';
}
