import { instantOf, Temporal } from '../dates/temporal.ts';
import { ExpressionError } from '../error.ts';
import { isNumeric } from '../numbers/number.ts';
import { numberText } from '../numbers/numberText.ts';
import type { Session } from '../session.ts';
import { jsonText } from './json.ts';
import { entriesOf, itemsOf } from './kind.ts';

/** The printed form of a value: null is empty, lists and maps are compact JSON. */
export function printedText(value: unknown, session: Session): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  const simple = simpleText(value);
  return simple ?? jsonText(value, session);
}

/** The text form used by `+`, `~`, `join` and most filters: null is `null`, nested values print as in Java. */
export function javaText(value: unknown, session: Session): string {
  if (typeof value === 'string') return value;
  const simple = simpleText(value);
  if (simple !== null) return simple;
  const writer = new JavaWriter(session);
  writer.write(value, 0);
  return writer.out;
}

/** As `javaText`, but null is empty: the rule of `~`. */
export function concatText(value: unknown, session: Session): string {
  return value === null || value === undefined ? '' : javaText(value, session);
}

function simpleText(value: unknown): string | null {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (isNumeric(value)) return numberText(value);
  if (value instanceof Temporal) return value.toString();
  if (value instanceof Date) return instantOf(value).toString();
  return null;
}

class JavaWriter {
  out = '';
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  write(value: unknown, depth: number): void {
    this.session.charge(1);
    this.session.checkDepth(depth);
    this.session.checkText(this.out.length);
    const simple = typeof value === 'string' ? value : simpleText(value);
    if (simple !== null) {
      this.out += simple;
      return;
    }
    const items = itemsOf(value);
    const entries = entriesOf(value);
    if (items) this.enclose('[', items, (item) => this.write(item, depth + 1), ']');
    else if (entries) this.enclose('{', entries, (entry) => this.writeEntry(entry, depth + 1), '}');
    else throw new ExpressionError('The value has no text: it is not plain data');
  }

  private writeEntry([key, item]: readonly [string, unknown], depth: number): void {
    this.out += `${key}=`;
    this.write(item, depth);
  }

  private enclose<T>(open: string, parts: readonly T[], write: (part: T) => void, close: string): void {
    this.out += open;
    parts.forEach((part, index) => {
      if (index > 0) this.out += ', ';
      write(part);
    });
    this.out += close;
  }
}
