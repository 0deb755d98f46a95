import { ExpressionError } from '../error.ts';
import { Decimal } from './decimal.ts';
import { double, float, integer, type Numeric } from './number.ts';
import { numberText } from './numberText.ts';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const whole = /^[+-]?\d{1,10000}$/;

/** A number of a named Java type, or of the smallest type that holds the text. */
export function parseNumber(text: string, type: string | undefined): Numeric {
  const number = type === undefined ? inferNumber(text) : parseAs(text, type.toUpperCase());
  if (number === null)
    throw new ExpressionError(`'${text.slice(0, 100)}' is not a number${type ? ` of type ${type}` : ''}`);
  return number;
}

function parseAs(text: string, type: string): Numeric | null {
  switch (type) {
    case 'INT':
      return parseWhole(text, 32);
    case 'LONG':
      return toLong(parseWhole(text, 64));
    case 'BIGINTEGER':
      return parseWhole(text, null);
    case 'FLOAT':
      return decimal.test(text.trim()) ? float(Number(text)) : null;
    case 'DOUBLE':
      return decimal.test(text.trim()) ? double(Number(text)) : null;
    case 'BIGDECIMAL':
      return Decimal.parse(text);
  }
  throw new ExpressionError(
    `Unknown number type '${type}': use INT, LONG, FLOAT, DOUBLE, BIGDECIMAL or BIGINTEGER`,
  );
}

function parseWhole(text: string, bits: number | null): number | bigint | null {
  if (!whole.test(text)) return null;
  const value = BigInt(text);
  return bits !== null && BigInt.asIntN(bits, value) !== value ? null : integer(value);
}

/** As a bigint, so that a value that fits into 32 bits stays a 64-bit number. */
const toLong = (value: number | bigint | null): bigint | null => (value === null ? null : BigInt(value));

/** A float if it prints like the double, else a double if that is exact enough, else a decimal. */
function inferNumber(text: string): Numeric | null {
  const hexadecimal = /^([+-]?)(?:0[xX]|#)([0-9a-fA-F]{1,64})$/.exec(text);
  if (hexadecimal) return integer(BigInt(`0x${hexadecimal[2]}`) * (hexadecimal[1] === '-' ? -1n : 1n));
  if (whole.test(text)) return parseWhole(text, null);
  const suffixed = /^([+-]?[\d.eE+-]+)([lLfFdD])$/.exec(text);
  if (suffixed) return parseSuffixed(suffixed[1] ?? '', (suffixed[2] ?? '').toUpperCase());
  if (!decimal.test(text)) return null;
  const value = Number(text);
  const exact = Decimal.parse(text);
  const isLost = value === 0 && exact?.unscaled !== 0n;
  const single = float(value);
  const wide = double(value);
  if (
    Number.isFinite(single.value) &&
    !(single.value === 0 && value !== 0) &&
    !isLost &&
    numberText(single) === numberText(wide)
  ) {
    return single;
  }
  if (
    Number.isFinite(value) &&
    !isLost &&
    Decimal.parse(String(value))?.compare(exact ?? new Decimal(0n, 0)) === 0
  )
    return wide;
  return exact;
}

function parseSuffixed(digits: string, suffix: string): Numeric | null {
  if (suffix === 'L') return toLong(parseWhole(digits, null));
  if (!decimal.test(digits)) return null;
  return suffix === 'F' ? float(Number(digits)) : double(Number(digits));
}
