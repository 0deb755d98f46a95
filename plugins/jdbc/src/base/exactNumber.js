// Plain JavaScript, because the process of an embedded database starts without a compiler and uses it too.

/** A number of a database that a JavaScript number would round, or whose zeros it would drop; it keeps the digits. */
export class ExactNumber {
  /** @param {string} text */
  constructor(text) {
    /** @readonly */
    this.text = text;
  }

  /**
   * In outputs, `20.00` is the number 20, so that expressions calculate with it; digits that JSON parsers would round
   * are text.
   */
  toJSON() {
    return isRounded(this.text) ? this.text : Number(this.text);
  }

  toString() {
    return this.text;
  }
}

const maxExactDigits = 15;

/** Whether a JavaScript number does not hold all digits. @param {string} text */
function isRounded(text) {
  if (!text.includes('.')) return !Number.isSafeInteger(Number(text));
  const digits = text.replace(/0+$/, '').replace(/^[-+]?[0.]*/, '');
  return digits.replace('.', '').length > maxExactDigits;
}

/**
 * The value of decimal digits: a number when its text has the same digits, the digits otherwise.
 * @param {string} text @returns {number | ExactNumber}
 */
export function exactNumber(text) {
  if (/[eE]/.test(text)) return Number(text);
  const hasZeros = text.includes('.') && text.endsWith('0');
  return hasZeros || isRounded(text) ? new ExactNumber(text) : Number(text);
}

/**
 * The digits of a decimal with the scale of its column, for servers and drivers that drop the zeros at the end.
 * @param {string} text @param {number} scale
 */
export function withScale(text, scale) {
  if (scale <= 0 || !/^[-+]?\d+(\.\d+)?$/.test(text)) return text;
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(scale, '0')}`;
}

/**
 * Doubles that JSON does not have are written as text.
 * @param {number} value @returns {number | string}
 */
export const doubleValue = (value) => (Number.isFinite(value) ? value : String(value));

const delicateNumber = /\d{16}|\.\d*0(?!\d)/;
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const mark = '\0exact:';

/**
 * Reads JSON; numbers that JavaScript would round, or whose zeros it would drop, become `ExactNumber`s.
 * @param {string} text @returns {unknown}
 */
export function parseExactJson(text) {
  if (!delicateNumber.test(text)) return JSON.parse(text);
  const marked = text.replace(token, (found) => {
    if (found.startsWith('"') || /[eE]/.test(found)) return found;
    return exactNumber(found) instanceof ExactNumber ? JSON.stringify(mark + found) : found;
  });
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value,
  );
}

/**
 * The JSON text of a value with every digit of its numbers.
 * @param {unknown} value @returns {string}
 */
export function exactJson(value) {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
    const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${exactJson(inner)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
