import { ExpressionError } from '../error.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map([...alphabet].map((char, index) => [char.charCodeAt(0), index]));

/** Own Base64 encoder, because browsers and Node have no common API for bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += digit(group >> 18) + digit(group >> 12);
    text += at + 1 < bytes.length ? digit(group >> 6) : '=';
    text += at + 2 < bytes.length ? digit(group) : '=';
  }
  return text;
}

/** Padding may be missing; anything outside of the alphabet is an error. */
export function decodeBase64(text: string): Uint8Array {
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  if (end % 4 === 1 || (end < text.length && text.length % 4 !== 0))
    throw new ExpressionError('Invalid base64: wrong length');
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (let at = 0; at < end; at++) {
    const value = values.get(text.charCodeAt(at));
    if (value === undefined) throw new ExpressionError(`Invalid base64: unexpected '${text[at]}'`);
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = buffer >> bits;
    }
  }
  return bytes;
}

function digit(value: number): string {
  return alphabet[value & 63] ?? '';
}
