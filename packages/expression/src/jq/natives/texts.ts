import { encodeUtf8 } from '../../bytes/utf8.ts';
import { double, integer } from '../../numbers/number.ts';
import { splitLiteral } from '../operators.ts';
import { describe, JqError, numberOf, typeOf } from '../values.ts';
import { type Natives, simple, withArgument } from './native.ts';

/** Functions on text. */
export const textNatives: Natives = {
  'tonumber/0': simple(toNumber),
  'ascii_downcase/0': simple((value) =>
    requireText(value, 'ascii_downcase').replace(/[A-Z]/g, (char) => char.toLowerCase()),
  ),
  'ascii_upcase/0': simple((value) =>
    requireText(value, 'ascii_upcase').replace(/[a-z]/g, (char) => char.toUpperCase()),
  ),
  'utf8bytelength/0': simple((value) => encodeUtf8(requireText(value, 'utf8bytelength')).length),
  'explode/0': simple((value) => [...requireText(value, 'explode')].map((char) => char.codePointAt(0) ?? 0)),
  'implode/0': simple((value) => {
    if (!Array.isArray(value)) throw new JqError('implode input must be an array');
    return value.map((code) => toCharacter(numberOf(code))).join('');
  }),
  'startswith/1': withArgument((value, prefix) => {
    if (typeof value !== 'string' || typeof prefix !== 'string')
      throw new JqError('startswith() requires string inputs');
    return value.startsWith(prefix);
  }),
  'endswith/1': withArgument((value, suffix) => {
    if (typeof value !== 'string' || typeof suffix !== 'string')
      throw new JqError('endswith() requires string inputs');
    return value.endsWith(suffix);
  }),
  'split/1': withArgument((value, separator) => {
    if (typeof value !== 'string' || typeof separator !== 'string')
      throw new JqError('split input and separator must be strings');
    return splitLiteral(value, separator);
  }),
  'trim/0': simple((value) => requireText(value, 'trim').trim()),
  'ltrim/0': simple((value) => requireText(value, 'ltrim').trimStart()),
  'rtrim/0': simple((value) => requireText(value, 'rtrim').trimEnd()),
};

function requireText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new JqError(`${name} input must be a string`);
  return value;
}

function toNumber(value: unknown): unknown {
  if (typeOf(value) === 'number') return value;
  if (typeof value !== 'string') throw new JqError(`${describe(value)} cannot be parsed as a number`);
  const text = value.trim();
  if (/^[+-]?\d{1,1000}$/.test(text)) return integer(BigInt(text));
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return double(Number(text));
  if (/^-?nan$/.test(text)) return Number.NaN;
  throw new JqError(`${describe(value)} cannot be parsed as a number`);
}

function toCharacter(code: number): string {
  if (!(code >= 0 && code <= 0x10ffff)) throw new JqError('Invalid codepoint');
  return String.fromCodePoint(Math.floor(code));
}
