import { isNumeric, type Numeric, toDouble } from '../numbers/number.ts';
import { numberText } from '../numbers/numberText.ts';
import type { Session } from '../session.ts';
import { quoteText } from '../values/json.ts';
import { isPlainMap, type PlainMap } from '../values/kind.ts';

/** A failure inside a jq program: `try` and `?` catch it, with its value. */
export class JqError extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super(typeof value === 'string' ? value : 'jq: error (not a string)');
    this.value = value;
  }
}

export type JqType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

const ranks: { readonly [type in JqType]: number } = {
  null: 0,
  boolean: 1,
  number: 3,
  string: 4,
  array: 5,
  object: 6,
};

export function typeOf(value: unknown): JqType {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return 'array';
  return isNumeric(value) ? 'number' : 'object';
}

export function isTrue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false;
}

export function numberOf(value: unknown): number {
  return isNumeric(value) ? toDouble(value as Numeric) : Number.NaN;
}

export function asObject(value: unknown): PlainMap {
  return isPlainMap(value) ? value : {};
}

/** The order of jq: null, false, true, numbers, texts, arrays, objects. */
export function compareValues(a: unknown, b: unknown, session: Session): number {
  if (a === b) return 0;
  session.charge(1);
  const type = typeOf(a);
  const difference = ranks[type] - ranks[typeOf(b)];
  if (difference !== 0) return difference;
  if (type === 'boolean') return Number(a) - Number(b);
  if (type === 'number') return compareDoubles(numberOf(a), numberOf(b));
  if (type === 'string') return compareTexts(String(a), String(b));
  if (type === 'array') return compareArrays(a as unknown[], b as unknown[], session);
  return type === 'object' ? compareObjects(asObject(a), asObject(b), session) : 0;
}

export function sortedKeys(map: PlainMap): string[] {
  return Object.keys(map).sort(compareTexts);
}

/** By code point: a plain comparison of UTF-16 units would put emoji before some letters. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      const isMixed = left >= 0xd800 && left < 0xe000 !== (right >= 0xd800 && right < 0xe000);
      return isMixed ? (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0) : left - right;
    }
  }
  return a.length - b.length;
}

/** JSON as jq writes it: null members stay. */
export function toJson(value: unknown, session: Session): string {
  const out = { text: '' };
  writeJson(value, out, (length) => {
    session.charge(1);
    session.checkText(length);
    return true;
  });
  return out.text;
}

export function toText(value: unknown, session: Session): string {
  return typeof value === 'string' ? value : toJson(value, session);
}

/** A value for an error message; writing stops at the maximum length. */
export function describe(value: unknown): string {
  const out = { text: '' };
  writeJson(typeof value === 'string' ? value.slice(0, 20) : value, out, (length) => length < 20);
  return `${typeOf(value)} (${out.text.length > 11 ? `${out.text.slice(0, 10)}...` : out.text})`;
}

function writeJson(value: unknown, out: { text: string }, mayGoOn: (length: number) => boolean): void {
  if (!mayGoOn(out.text.length)) return;
  const type = typeOf(value);
  if (type === 'string') out.text += quoteText(String(value));
  else if (type === 'number') out.text += numberJson(value);
  else if (type === 'array') {
    out.text += '[';
    (value as unknown[]).forEach((item, index) => {
      if (index > 0) out.text += ',';
      writeJson(item, out, mayGoOn);
    });
    out.text += ']';
  } else if (type === 'object') {
    out.text += '{';
    Object.entries(asObject(value)).forEach(([key, item], index) => {
      out.text += `${index > 0 ? ',' : ''}${quoteText(key)}:`;
      writeJson(item, out, mayGoOn);
    });
    out.text += '}';
  } else out.text += value === null || value === undefined ? 'null' : String(value);
}

function numberJson(value: unknown): string {
  if (typeof value !== 'number')
    return Number.isFinite(numberOf(value)) ? numberText(value as Numeric) : 'null';
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value > 0 ? '1.7976931348623157e+308' : '-1.7976931348623157e+308';
  return String(value);
}

function compareDoubles(a: number, b: number): number {
  // NaN sorts below every number.
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  return Number.isNaN(b) ? 1 : a - b;
}

function compareArrays(a: readonly unknown[], b: readonly unknown[], session: Session): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = compareValues(a[index], b[index], session);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareObjects(a: PlainMap, b: PlainMap, session: Session): number {
  const keys = sortedKeys(a);
  const byKeys = compareArrays(keys, sortedKeys(b), session);
  if (byKeys !== 0) return byKeys;
  for (const key of keys) {
    const difference = compareValues(a[key], b[key], session);
    if (difference !== 0) return difference;
  }
  return 0;
}
