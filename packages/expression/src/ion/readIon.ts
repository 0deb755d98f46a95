import {
  parseDuration,
  parseInstant,
  parseLocalDate,
  parseLocalDateTime,
  parseZoned,
} from '../dates/parseIso.ts';
import { ExpressionError } from '../error.ts';
import { Decimal } from '../numbers/decimal.ts';
import { double, integer } from '../numbers/number.ts';
import { type PlainMap, put } from '../values/kind.ts';
import { readEscape } from './readEscape.ts';

const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const timestamp =
  /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?T?(?![\w.])|\d{4}(?:-\d{2})?T(?![\w.])/y;
const number = /[+-]?(?:inf\b|0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eEdD][+-]?\d+)?)/y;
const word = /[A-Za-z_$][A-Za-z0-9_$]*(?:\.[a-z]+)?/y;
const maxDepth = 500;

/** Every value of an Ion text, in order. Types that JSON lacks become the closest JSON type. */
export function readIon(text: string): unknown[] {
  return new IonReader(text).readAll();
}

class IonReader {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  readAll(): unknown[] {
    const values: unknown[] = [];
    for (this.skipBlank(); this.position < this.text.length; this.skipBlank()) {
      // The marker of the Ion version is not a value.
      if (this.take(/\$ion_1_0\b/y) === null) values.push(this.readValue(0));
    }
    return values;
  }

  private readValue(depth: number): unknown {
    if (depth > maxDepth) throw new ExpressionError(`The Ion nests deeper than ${maxDepth} levels`, 'limit');
    this.skipBlank();
    const char = this.text[this.position];
    if (char === '[') return this.readItems('[', ']', ',', depth);
    if (char === '(') return this.readItems('(', ')', '', depth);
    if (char === '{') return this.text[this.position + 1] === '{' ? this.readLob() : this.readStruct(depth);
    if (char === '"') return this.readQuoted('"');
    if (this.text.startsWith("'''", this.position)) return this.readLongText();
    if (char === "'") return this.readSymbol(this.readQuoted("'"), depth, true);
    const moment = this.take(timestamp);
    if (moment !== null) return parseInstant(moment) ?? parseLocalDate(moment.replace(/T$/, '')) ?? moment;
    const digits = this.take(number);
    if (digits !== null) return readNumber(digits);
    const name = this.take(word);
    if (name !== null) return this.readSymbol(name, depth, false);
    throw this.unexpected();
  }

  /** A symbol may turn out to be a keyword, a typed null or an annotation of the value that follows. */
  private readSymbol(name: string, depth: number, isQuoted: boolean): unknown {
    this.skipBlank();
    if (this.text.startsWith('::', this.position)) {
      this.position += 2;
      return annotate(name, this.readValue(depth + 1));
    }
    if (isQuoted) return name;
    if (name === 'true' || name === 'false') return name === 'true';
    if (name === 'null' || name.startsWith('null.')) return null;
    return name === 'nan' ? Number.NaN : name;
  }

  private readItems(open: string, close: string, separator: string, depth: number): unknown[] {
    this.expect(open);
    const items: unknown[] = [];
    for (this.skipBlank(); this.text[this.position] !== close; this.skipBlank()) {
      if (items.length > 0 && separator !== '') this.expect(separator);
      this.skipBlank();
      if (this.text[this.position] === close) break;
      items.push(this.readValue(depth + 1));
    }
    this.expect(close);
    return items;
  }

  private readStruct(depth: number): PlainMap {
    this.expect('{');
    const map: PlainMap = {};
    for (this.skipBlank(); this.text[this.position] !== '}'; this.skipBlank()) {
      put(map, this.readKey(), this.readField(depth));
      this.skipBlank();
      if (this.text[this.position] !== '}') this.expect(',');
    }
    this.expect('}');
    return map;
  }

  private readField(depth: number): unknown {
    this.skipBlank();
    this.expect(':');
    return this.readValue(depth + 1);
  }

  private readKey(): string {
    const quote = this.text[this.position];
    if (quote === '"' || quote === "'") return this.readQuoted(quote);
    const name = this.take(/[A-Za-z_$][A-Za-z0-9_$]*/y);
    if (name === null) throw this.unexpected();
    return name;
  }

  private readQuoted(quote: string): string {
    let text = '';
    for (let at = this.position + 1; at < this.text.length; at++) {
      const char = this.text[at] ?? '';
      if (char === quote) {
        this.position = at + 1;
        return text;
      }
      if (char === '\\') {
        const sequence = readEscape(this.text, at);
        text += sequence.text;
        at = sequence.end - 1;
      } else text += char;
    }
    throw this.unexpected();
  }

  /** Long texts in triple quotes concatenate when they follow each other. */
  private readLongText(): string {
    let text = '';
    while (this.text.startsWith("'''", this.position)) {
      const end = this.text.indexOf("'''", this.position + 3);
      if (end < 0) throw this.unexpected();
      text += this.text.slice(this.position + 3, end);
      this.position = end + 3;
      this.skipBlank();
    }
    return text;
  }

  private readLob(): string {
    const end = this.text.indexOf('}}', this.position);
    if (end < 0) throw this.unexpected();
    const body = this.text.slice(this.position + 2, end).trim();
    this.position = end + 2;
    return body.replace(/^"|"$/g, '');
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.position += found.length;
    return found;
  }

  private skipBlank(): void {
    this.take(blank);
  }

  private expect(mark: string): void {
    if (!this.text.startsWith(mark, this.position)) throw this.unexpected();
    this.position += mark.length;
  }

  private unexpected(): ExpressionError {
    return new ExpressionError(`Invalid ion: unexpected content at position ${this.position}`);
  }
}

function readNumber(text: string): unknown {
  const digits = text.replaceAll('_', '');
  if (digits.endsWith('inf')) return digits.startsWith('-') ? -Infinity : Infinity;
  const prefixed = /^([+-]?)(0[xXbB].+)$/.exec(digits);
  if (prefixed) return integer(BigInt(prefixed[2] ?? '0') * (prefixed[1] === '-' ? -1n : 1n));
  if (/[eE]/.test(digits)) return double(Number(digits));
  if (/[.dD]/.test(digits)) return Decimal.parse(digits.replace(/[dD]/, 'e')) ?? double(Number(digits));
  return integer(BigInt(digits));
}

/** The annotations by which times are kept in Ion. */
function annotate(annotation: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (annotation) {
    case 'Instant':
      return parseInstant(value) ?? value;
    case 'ZonedDateTime':
    case 'OffsetDateTime':
      return parseZoned(value) ?? value;
    case 'LocalDateTime':
      return parseLocalDateTime(value) ?? value;
    case 'LocalDate':
      return parseLocalDate(value) ?? value;
    case 'Duration':
      return parseDuration(value) ?? value;
  }
  return value;
}
