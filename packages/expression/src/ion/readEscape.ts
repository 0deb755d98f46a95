import { ExpressionError } from '../error.ts';

const single = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['?', '?'],
  ['/', '/'],
  ["'", "'"],
  ['"', '"'],
  ['\\', '\\'],
  ['\n', ''],
]);
const digits = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads an escape sequence at its backslash: its value, and where it ends. */
export function readEscape(source: string, start: number): { text: string; end: number } {
  const mark = source[start + 1] ?? '';
  const text = single.get(mark);
  if (text !== undefined) return { text, end: start + 2 };
  const count = digits.get(mark);
  const code = source.slice(start + 2, start + 2 + (count ?? 0));
  if (
    count === undefined ||
    !/^[0-9a-fA-F]+$/.test(code) ||
    code.length !== count ||
    Number.parseInt(code, 16) > 0x10ffff
  ) {
    throw new ExpressionError(`Invalid escape sequence at position ${start}`);
  }
  return { text: String.fromCodePoint(Number.parseInt(code, 16)), end: start + 2 + count };
}
