import {
  Decimal,
  double,
  LocalTime,
  parseDuration,
  parseInstant,
  parseLocalDate,
  parseLocalDateTime,
  parseZoned,
  Real,
  readIon,
} from '@millrace/expression';

/** Numbers that `JSON.parse` would change: with a fraction or exponent, or too long to be exact. */
const delicateNumber = /[\d.][eE][+-]?\d|\d\.\d|\d{16}/;

/**
 * The value of one line of a file of rows, JSON or Ion text, with its type: exact integers and decimals, doubles, dates,
 * bytes. A fraction is a decimal in Ion, and a double in JSON as long as that holds all digits.
 */
export function readIonText(text: string): unknown {
  if (!delicateNumber.test(text)) {
    const value = parseJson(text);
    if (value !== notJson) return value;
  }
  try {
    return new LineReader(text, parseJson(text) !== notJson).read();
  } catch (error) {
    if (!(error instanceof UnusualIon)) throw error;
    // Comments, symbols and long texts are rare in rows; the full reader handles them.
    const values = readIon(text);
    if (values.length !== 1) throw new Error(`expected one value, got ${values.length}`);
    return values[0];
  }
}

/** As `readIonText`, for JSON alone: a `SyntaxError` for anything else. */
export function readJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return delicateNumber.test(text) ? new LineReader(text, true).read() : value;
}

const notJson = Symbol('not JSON');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}

class UnusualIon extends Error {}

const number = /[+-]?(?:inf|\d+(?:\.\d*)?(?:[eEdD][+-]?\d+)?)/y;
const timestamp = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?T?(?![\w.])/y;
const word = /[A-Za-z_$][\w$]*(?:\.[a-z]+)?/y;

/** A fast reader for the common syntax of rows; throws `UnusualIon` for anything else. */
class LineReader {
  readonly #text: string;
  readonly #isJson: boolean;
  #at = 0;

  constructor(text: string, isJson: boolean) {
    this.#text = text;
    this.#isJson = isJson;
  }

  read(): unknown {
    const value = this.#value(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw new UnusualIon();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > 500) throw new Error('the value nests deeper than 500 levels');
    this.#skipBlank();
    const char = this.#text.charCodeAt(this.#at);
    if (char === 0x22) return this.#quoted();
    if (char === 0x7b)
      return this.#text.charCodeAt(this.#at + 1) === 0x7b ? this.#blob() : this.#struct(depth);
    if (char === 0x5b) return this.#list(depth);
    if ((char >= 0x30 && char <= 0x39) || char === 0x2d || char === 0x2b) return this.#numberOrDate();
    return this.#word();
  }

  #skipBlank(): void {
    for (;;) {
      const char = this.#text.charCodeAt(this.#at);
      if (char !== 0x20 && char !== 0x09 && char !== 0x0d && char !== 0x0a) return;
      this.#at++;
    }
  }

  /** True when the mark is next, and then behind us. */
  #take(mark: number): boolean {
    this.#skipBlank();
    if (this.#text.charCodeAt(this.#at) !== mark) return false;
    this.#at++;
    return true;
  }

  #quoted(): string {
    const start = this.#at;
    for (let at = start + 1; ; at++) {
      const char = this.#text.charCodeAt(at);
      if (char === 0x5c) at++;
      else if (char === 0x22) {
        this.#at = at + 1;
        const quoted = this.#text.slice(start, at + 1);
        if (!quoted.includes('\\')) return quoted.slice(1, -1);
        const value = parseJson(quoted);
        if (typeof value === 'string') return value;
        throw new UnusualIon();
      } else if (Number.isNaN(char)) throw new UnusualIon();
    }
  }

  #struct(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    this.#at++;
    if (this.#take(0x7d)) return map;
    for (;;) {
      const key = this.#key();
      if (!this.#take(0x3a)) throw new UnusualIon();
      const value = this.#value(depth + 1);
      if (key === '__proto__')
        Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
      else map[key] = value;
      if (this.#take(0x7d)) return map;
      if (!this.#take(0x2c)) throw new UnusualIon();
    }
  }

  #key(): string {
    this.#skipBlank();
    if (this.#text.charCodeAt(this.#at) === 0x22) return this.#quoted();
    const name = this.#match(word);
    if (name === undefined || name.includes('.')) throw new UnusualIon();
    return name;
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    if (this.#take(0x5d)) return items;
    for (;;) {
      items.push(this.#value(depth + 1));
      if (this.#take(0x5d)) return items;
      if (!this.#take(0x2c)) throw new UnusualIon();
    }
  }

  #blob(): Uint8Array {
    const end = this.#text.indexOf('}}', this.#at);
    const body = this.#text.slice(this.#at + 2, end).replace(/\s+/g, '');
    if (end < 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) throw new UnusualIon();
    this.#at = end + 2;
    return Buffer.from(body, 'base64');
  }

  #numberOrDate(): unknown {
    if (this.#text.charCodeAt(this.#at + 4) === 0x2d) {
      const moment = this.#match(timestamp);
      if (moment !== undefined)
        return parseInstant(moment) ?? parseLocalDate(moment.replace(/T$/, '')) ?? moment;
    }
    const digits = this.#match(number);
    if (digits === undefined || /[\w.]/.test(this.#text.charAt(this.#at))) throw new UnusualIon();
    return readNumber(digits, this.#isJson);
  }

  #word(): unknown {
    const name = this.#match(word);
    if (name === undefined) throw new UnusualIon();
    if (this.#text.startsWith('::', this.#at)) {
      this.#at += 2;
      this.#skipBlank();
      if (this.#text.charCodeAt(this.#at) !== 0x22) throw new UnusualIon();
      return annotated(name, this.#quoted());
    }
    if (name === 'true') return true;
    if (name === 'false') return false;
    if (name === 'nan') return Number.NaN;
    if (name === 'null' || name.startsWith('null.')) return null;
    throw new UnusualIon();
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function readNumber(digits: string, isJson: boolean): unknown {
  if (digits.endsWith('inf')) return digits.startsWith('-') ? -Infinity : Infinity;
  if (/[eE]/.test(digits)) return readExponent(digits);
  if (isJson && digits.includes('.')) return readFraction(digits);
  if (/[.dD]/.test(digits)) return Decimal.parse(digits.replace(/[dD]/, 'e')) ?? double(Number(digits));
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits.replace('+', ''));
}

/** `20.50e0` is how a double is written that keeps its zeros. */
const readExponent = (digits: string): unknown =>
  digits.endsWith('0e0') && digits.includes('.') ? readFraction(digits.slice(0, -2)) : double(Number(digits));

/** A fraction in JSON: a double, unless it has more digits than a double holds. Zeros at its end are kept. */
function readFraction(digits: string): unknown {
  const value = Number(digits);
  const usual = String(value);
  if (usual === digits) return value;
  if (`${usual}.0` === digits) return double(value);
  const exact = Decimal.parse(digits);
  return exact === null || Decimal.parse(usual)?.compare(exact) === 0
    ? new Real(value, false, digits)
    : exact;
}

/** Reads the annotations that mark times in Ion. */
function annotated(annotation: string, text: string): unknown {
  switch (annotation) {
    case 'Instant':
      return parseInstant(text) ?? text;
    case 'ZonedDateTime':
    case 'OffsetDateTime':
      return parseZoned(text) ?? text;
    case 'LocalDateTime':
      return parseLocalDateTime(text) ?? text;
    case 'LocalDate':
      return parseLocalDate(text) ?? text;
    case 'LocalTime':
      return parseLocalTime(text) ?? text;
    case 'Duration':
      return parseDuration(text) ?? text;
    default:
      return text;
  }
}

export function parseLocalTime(text: string): LocalTime | null {
  const moment = parseLocalDateTime(`1970-01-01T${text}`);
  return moment && new LocalTime(moment.localSecond, moment.nano);
}
