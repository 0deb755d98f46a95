import { Duration, Instant, instantOf, Temporal } from '../dates/temporal.ts';
import { ExpressionError } from '../error.ts';
import { Decimal } from '../numbers/decimal.ts';
import { isInteger, isNumeric, type Numeric } from '../numbers/number.ts';
import { numberText } from '../numbers/numberText.ts';
import type { Session } from '../session.ts';
import { entriesOf, itemsOf } from '../values/kind.ts';

const symbol = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const keywords = new Set(['null', 'true', 'false', 'nan']);

/** A value as Ion text. Doubles have an exponent, which makes them doubles in Ion. */
export function ionText(value: unknown, session: Session): string {
  const writer = new IonWriter(session);
  writer.write(value, 0);
  return writer.out;
}

class IonWriter {
  out = '';
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  write(value: unknown, depth: number): void {
    this.session.charge(1);
    this.session.checkDepth(depth);
    this.session.checkText(this.out.length);
    const items = itemsOf(value);
    const entries = items ? null : entriesOf(value);
    if (items) this.enclose('[', items, (item) => this.write(item, depth + 1), ']');
    else if (entries) this.enclose('{', entries, (entry) => this.writeField(entry, depth + 1), '}');
    else this.out += scalarText(value);
  }

  private writeField([key, value]: readonly [string, unknown], depth: number): void {
    this.out += `${symbol.test(key) && !keywords.has(key) ? key : `'${escapeText(key, "'")}'`}:`;
    this.write(value, depth);
  }

  private enclose<T>(open: string, parts: readonly T[], write: (part: T) => void, close: string): void {
    this.out += open;
    parts.forEach((part, index) => {
      if (index > 0) this.out += ',';
      write(part);
    });
    this.out += close;
  }
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `"${escapeText(value, '"')}"`;
  if (isNumeric(value)) return ionNumber(value);
  const time = value instanceof Date ? instantOf(value) : value;
  if (time instanceof Instant) return time.toString();
  if (time instanceof Duration || time instanceof Temporal) return `${time.kind}::"${time.toString()}"`;
  throw new ExpressionError('The value cannot be written as Ion: it is not plain data');
}

function ionNumber(value: Numeric): string {
  const text = numberText(value);
  if (isInteger(value)) return text;
  if (value instanceof Decimal) return text.includes('.') ? text : `${text}.`;
  if (text === 'NaN') return 'nan';
  if (text.endsWith('Infinity')) return text.startsWith('-') ? '-inf' : '+inf';
  if (text.endsWith('.0')) return `${text.slice(0, -2)}e0`;
  return text.includes('E') ? text : `${text}e0`;
}

function escapeText(text: string, quote: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return quote === '"' ? escaped : escaped.replaceAll('\\"', '"').replaceAll("'", "\\'");
}
