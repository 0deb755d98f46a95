import { Duration, durationSeconds, Temporal } from '../dates/temporal.ts';
import { ExpressionError } from '../error.ts';
import { isNumeric } from '../numbers/number.ts';
import { numberText } from '../numbers/numberText.ts';
import type { Session } from '../session.ts';
import { entriesOf, itemsOf } from '../values/kind.ts';

const reserved = new Set(
  'false False FALSE n N no No NO null Null NULL on On ON off Off OFF true True TRUE y Y yes Yes YES ~'.split(
    ' ',
  ),
);

/**
 * YAML in the layout of the reference: no document marker, quotes only where needed, list items indented by one
 * space, and a dash alone on its line before a nested list or map.
 */
export function yamlText(value: unknown, session: Session): string {
  const writer = new YamlWriter(session);
  writer.write(value, 0);
  return writer.out.replace(/^\n/, '');
}

class YamlWriter {
  out = '';
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Writes the value after a key, a dash, or the start of the document, with its line break. */
  write(value: unknown, indent: number, depth = 0): void {
    this.session.charge(1);
    this.session.checkDepth(depth);
    this.session.checkText(this.out.length);
    const items = itemsOf(value);
    const entries = items
      ? null
      : entriesOf(value)?.filter(([, item]) => item !== null && item !== undefined);
    if (items) this.writeList(items, indent, depth);
    else if (entries) this.writeMap(entries, indent, depth);
    else this.out += `${this.out === '' ? '' : ' '}${scalarText(value, indent, this.session)}\n`;
  }

  private writeList(items: readonly unknown[], indent: number, depth: number): void {
    if (items.length === 0) {
      this.out += `${this.out === '' ? '' : ' '}[]\n`;
      return;
    }
    this.out += '\n';
    for (const item of items) {
      this.out += `${' '.repeat(indent)} -`;
      this.write(item, indent + 2, depth + 1);
    }
  }

  private writeMap(entries: readonly (readonly [string, unknown])[], indent: number, depth: number): void {
    if (entries.length === 0) {
      this.out += `${this.out === '' ? '' : ' '}{}\n`;
      return;
    }
    this.out += '\n';
    for (const [key, item] of entries) {
      this.out += `${' '.repeat(indent)}${keyText(key)}:`;
      // A list inside a map stays at the indentation of its key, one space deeper for the dash.
      this.write(item, itemsOf(item) ? indent : indent + 2, depth + 1);
    }
  }
}

function scalarText(value: unknown, indent: number, session: Session): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (isNumeric(value)) return numberText(value);
  if (value instanceof Duration) return durationSeconds(value);
  if (value instanceof Temporal) return `"${value.jsonText(session.zone)}"`;
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (typeof value !== 'string')
    throw new ExpressionError('The value cannot be written as YAML: it is not plain data');
  const isBlock =
    value.includes('\n') && !/[^\S\n](\n|$)|^\t|[^\n\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd]/.test(value);
  if (isBlock) return literalText(value, indent);
  if (needsQuotes(value)) return quotedText(value);
  return /^0[\d_]+$/.test(value) ? `'${value}'` : plainText(value);
}

/** A name that starts like a number is quoted, so that it stays a text; one over several lines gets a mark. */
function keyText(key: string): string {
  if (key.includes('\n') || key.length > 128) return `? ${quotedOrPlain(key)}\n`;
  return quotedOrPlain(key);
}

function quotedOrPlain(key: string): string {
  return reserved.has(key) || /^[\d+\-.~]/.test(key) ? quotedText(key) : plainText(key);
}

function plainText(text: string): string {
  if (text === '' || /\p{Cc}/u.test(text)) return quotedText(text);
  const isPlain = !/^[\s!&*|>'"%@`#,[\]{}]|^[-?:](\s|$)|\s$|:\s| #|:$|^---|^\.\.\./.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

function needsQuotes(text: string): boolean {
  return reserved.has(text) || /^~|[[\]{},]|(^|\s)#|:(\s|$)/.test(text);
}

const shortEscapes = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\u000b', '\\v'],
  ['\u001b', '\\e'],
  ['\u007f', '\\x7f'],
]);

/** As JSON, but for the control characters that YAML writes in its own way. */
function quotedText(text: string): string {
  return JSON.stringify(text)
    .replace(/\\u00([0-9a-f]{2})/g, (_, code) => {
      const char = String.fromCharCode(Number.parseInt(code, 16));
      return shortEscapes.get(char) ?? `\\x${code}`;
    })
    .replaceAll('\u007f', '\\x7f');
}

/** A block scalar; the indicator after the bar says how final line breaks are kept. */
function literalText(text: string, indent: number): string {
  const chomp = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const margin = ' '.repeat(Math.max(2, indent));
  const hint = /^\s/.test(text) ? '2' : '';
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : margin + line)).join('\n')}`;
}
