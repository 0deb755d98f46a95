import { ExpressionError } from '../error.ts';
import { double, integer } from '../numbers/number.ts';
import { mapOf } from './kind.ts';

/** Losses of JSON.parse: the kind of `10.0` and `1e3`, digits of long integers, the order of a key `10`. */
const delicate = /\d[.eE]|\d{16}|"\d+"\s*:/;
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;
const maxDepth = 1000;

/** Parses JSON without losing the kind of a number. */
export function parseJson(text: string): unknown {
  try {
    return delicate.test(text) ? new JsonReader(text).read() : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof ExpressionError) throw cause;
    throw new ExpressionError(`Invalid json: ${cause instanceof Error ? cause.message : text}`, 'error', {
      cause,
    });
  }
}

class JsonReader {
  private readonly text: string;
  private position = 0;
  private current: RegExpExecArray | null = null;

  constructor(text: string) {
    this.text = text;
  }

  read(): unknown {
    this.next();
    const value = this.readValue(0);
    if (this.text.slice(this.position).trim() !== '') throw this.unexpected();
    return value;
  }

  private readValue(depth: number): unknown {
    if (depth > maxDepth) throw new ExpressionError(`The JSON nests deeper than ${maxDepth} levels`, 'limit');
    const [, mark, text, number, word] = this.current ?? [];
    if (text !== undefined) return JSON.parse(text);
    if (number !== undefined) return readNumber(number);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    if (mark === '[') return this.readList(depth);
    if (mark === '{') return this.readMap(depth);
    throw this.unexpected();
  }

  private readList(depth: number): unknown[] {
    const items: unknown[] = [];
    this.next();
    if (this.isAt(']')) return items;
    for (;;) {
      items.push(this.readValue(depth + 1));
      this.next();
      if (this.isAt(']')) return items;
      if (!this.isAt(',')) throw this.unexpected();
      this.next();
    }
  }

  private readMap(depth: number): unknown {
    const entries: [string, unknown][] = [];
    this.next();
    if (this.isAt('}')) return mapOf(entries);
    for (;;) {
      const key = this.current?.[2];
      if (key === undefined) throw this.unexpected();
      this.next();
      if (!this.isAt(':')) throw this.unexpected();
      this.next();
      entries.push([JSON.parse(key), this.readValue(depth + 1)]);
      this.next();
      if (this.isAt('}')) return mapOf(entries);
      if (!this.isAt(',')) throw this.unexpected();
      this.next();
    }
  }

  private isAt(mark: string): boolean {
    return this.current?.[1] === mark;
  }

  private next(): void {
    token.lastIndex = this.position;
    this.current = token.exec(this.text);
    if (!this.current) throw this.unexpected();
    this.position = token.lastIndex;
  }

  private unexpected(): ExpressionError {
    return new ExpressionError(`Invalid json: unexpected content at position ${this.position}`);
  }
}

function readNumber(text: string): unknown {
  if (/[.eE]/.test(text)) return double(Number(text));
  return integer(BigInt(text));
}
