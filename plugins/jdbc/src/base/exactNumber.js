// Plain JavaScript, because the process of an embedded database starts without a compiler and uses it too.

/** A number of a database that a JavaScript number would round; it keeps the digits. */
export class ExactNumber {
  /** @param {string} text */
  constructor(text) {
    /** @readonly */
    this.text = text;
  }

  /** Outputs contain the digits as text, because JSON parsers would round a number. */
  toJSON() {
    return this.text;
  }
}

const maxExactDigits = 15;

/**
 * The value of decimal digits: a number when a number holds it exactly, the digits otherwise.
 * @param {string} text @returns {number | ExactNumber}
 */
export function exactNumber(text) {
  const value = Number(text);
  if (Number.isSafeInteger(value) && !text.includes('.')) return value;
  const digits = (text.includes('.') ? text.replace(/0+$/, '') : text).replace(/^[-+]?[0.]*/, '');
  return digits.replace('.', '').length <= maxExactDigits ? value : new ExactNumber(text);
}

/**
 * Doubles that JSON does not have are written as text.
 * @param {number} value @returns {number | string}
 */
export const doubleValue = (value) => (Number.isFinite(value) ? value : String(value));

const longNumber = /\d{16}/;
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const mark = '\0exact:';

/**
 * Reads JSON; numbers that JavaScript would round become `ExactNumber`s.
 * @param {string} text @returns {unknown}
 */
export function parseExactJson(text) {
  if (!longNumber.test(text)) return JSON.parse(text);
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
