import { isIntegral, type Numeric, Real } from './number.ts';

/** The text of a number as Java prints it: `10.0`, `1.0E12`, `1.0E-5`, integers as digits. */
export function numberText(value: Numeric): string {
  if (typeof value === 'number') {
    if (!isIntegral(value)) return doubleText(value);
    return Number.isSafeInteger(value) ? `${value === 0 ? 0 : value}` : String(BigInt(value));
  }
  if (value instanceof Real)
    return value.digits ?? (value.single ? floatText(value.value) : doubleText(value.value));
  return value.toString();
}

function doubleText(value: number): string {
  return javaText(value, value.toExponential());
}

function floatText(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return javaText(value, text);
  }
  return javaText(value, value.toExponential());
}

function javaText(value: number, exponential: string): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  const [mantissa = '', exponent = '0'] = exponential.split('e');
  if (size >= 1e-3 && size < 1e7) {
    const text = String(Number(exponential));
    return text.includes('.') ? text : `${text}.0`;
  }
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
