import { decodeBase64, encodeBase64 } from '../bytes/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/utf8.ts';
import { ExpressionError } from '../error.ts';
import type { Session } from '../session.ts';
import { describe, JqError, toJson, toText, typeOf } from './values.ts';

const html = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
  ["'", '&#39;'],
  ['"', '&quot;'],
]);

/** `@base64` and the like: a value as text in another notation. */
export function formatValue(name: string, value: unknown, session: Session): string {
  const text = formatBy(name, value, session);
  session.checkText(text.length);
  return text;
}

function formatBy(name: string, value: unknown, session: Session): string {
  switch (name) {
    case '@text':
      return toText(value, session);
    case '@json':
      return toJson(value, session);
    case '@html':
      return toText(value, session).replace(/[<>&'"]/g, (char) => html.get(char) ?? char);
    case '@uri':
      return encodeURIComponent(toText(value, session)).replace(
        /[!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    case '@csv':
      return row(value, session, 'csv', ',', (text) => `"${text.replaceAll('"', '""')}"`);
    case '@tsv':
      return row(value, session, 'tsv', '\t', (text) =>
        text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
      );
    case '@sh':
      return (Array.isArray(value) ? value : [value]).map((each) => quoteForShell(each, session)).join(' ');
    case '@base64':
      return encodeBase64(encodeUtf8(toText(value, session)));
    case '@base64d':
      return decode(value, session);
  }
  throw new ExpressionError(`jq format ${name} is not defined`);
}

function row(
  value: unknown,
  session: Session,
  format: string,
  separator: string,
  quote: (text: string) => string,
): string {
  if (!Array.isArray(value))
    throw new JqError(`${describe(value)} cannot be ${format}-formatted, only an array can be`);
  const cells = value.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return quote(cell);
    if (typeOf(cell) === 'array' || typeOf(cell) === 'object')
      throw new JqError(`${describe(cell)} is not valid in a ${format} row`);
    return toJson(cell, session);
  });
  return cells.join(separator);
}

function quoteForShell(value: unknown, session: Session): string {
  if (typeOf(value) === 'array' || typeOf(value) === 'object')
    throw new JqError(`${describe(value)} can not be escaped for shell`);
  return typeof value === 'string' ? `'${value.replaceAll("'", "'\\''")}'` : toJson(value, session);
}

function decode(value: unknown, session: Session): string {
  try {
    return decodeUtf8(decodeBase64(toText(value, session)));
  } catch {
    throw new JqError(`${describe(value)} is not valid base64 data`);
  }
}
