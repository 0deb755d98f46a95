import { Duration, durationSeconds, instantOf, Temporal } from '../dates/temporal.ts';
import { ExpressionError } from '../error.ts';
import { isNumeric, toDouble } from '../numbers/number.ts';
import { numberText } from '../numbers/numberText.ts';
import type { Session } from '../session.ts';
import { isMap, isPlainMap, itemsOf } from './kind.ts';

/** Compact JSON of any value an expression can hold. Map entries whose value is null are left out. */
export function jsonText(value: unknown, session: Session): string {
  const writer = new JsonWriter(session);
  writer.write(value, 0);
  return writer.out;
}

/** A JSON string; control characters as upper-case escapes, everything else as it is. */
export function quoteText(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.includes('\\u')
    ? quoted.replace(/\\u([0-9a-f]{4})/g, (_, code) => restoreEscape(code))
    : quoted;
}

function restoreEscape(code: string): string {
  const unit = Number.parseInt(code, 16);
  // JSON.stringify also escapes lone surrogates, which the reference writes as they are.
  return unit >= 0xd800 ? String.fromCharCode(unit) : `\\u${code.toUpperCase()}`;
}

class JsonWriter {
  out = '';
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  write(value: unknown, depth: number): void {
    if (typeof value === 'string') this.out += quoteText(value);
    else if (value === null || value === undefined) this.out += 'null';
    else if (typeof value === 'boolean') this.out += value ? 'true' : 'false';
    else if (isNumeric(value)) this.out += numberJson(value);
    else this.writeObject(value, depth);
    this.session.checkText(this.out.length);
  }

  private writeObject(value: unknown, depth: number): void {
    this.session.charge(1);
    this.session.checkDepth(depth);
    const items = itemsOf(value);
    if (isMap(value)) this.writeMap(value, depth);
    else if (items) this.writeList(items, depth);
    else if (value instanceof Duration) this.out += durationSeconds(value);
    else if (value instanceof Temporal) this.out += quoteText(value.jsonText(this.session.zone));
    else if (value instanceof Date) this.out += quoteText(instantOf(value).toString());
    else throw new ExpressionError('The value cannot be written as JSON: it is not plain data');
  }

  private writeList(items: readonly unknown[], depth: number): void {
    this.session.charge(items.length);
    this.out += '[';
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.out += ',';
      this.write(items[index], depth + 1);
    }
    this.out += ']';
  }

  private writeMap(map: object, depth: number): void {
    this.out += '{';
    let first = true;
    const writeEntry = (key: string, item: unknown) => {
      this.session.charge(1);
      if (item === null || item === undefined) return;
      this.out += first ? `${quoteText(key)}:` : `,${quoteText(key)}:`;
      first = false;
      this.write(item, depth + 1);
    };
    if (isPlainMap(map)) for (const key of Object.keys(map)) writeEntry(key, map[key]);
    else if (map instanceof Map) for (const [key, item] of map) writeEntry(String(key), item);
    this.out += '}';
  }
}

function numberJson(value: Parameters<typeof numberText>[0]): string {
  const text = numberText(value);
  return Number.isFinite(toDouble(value)) ? text : `"${text}"`;
}
