import { gcm } from '@noble/ciphers/aes.js';
import { decodeBase64, encodeBase64 } from '../bytes/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/utf8.ts';
import type { Context } from '../context.ts';
import { type Fns, optionalText, requireInteger, requireText } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { askBytes } from './ask.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ksuidEpoch = 1_400_000_000;
const ivBytes = 12;

/** Functions for identifiers, random values and encryption; all randomness comes from the host. */
export const randomFunctions: Fns = {
  id: { names: [], run: (_, { session }) => session.ask(() => session.host.id()) },
  uuid: { names: [], run: (_, context) => uuidOf(askBytes(context, 16)) },
  ksuid: {
    names: [],
    run: (_, context) => {
      const now = context.session.ask(() => context.session.host.now());
      return ksuidOf(Math.floor(now / 1000), askBytes(context, 16));
    },
  },
  nanoId: {
    names: ['length', 'alphabet'],
    run: ([length, alphabet], context) => {
      const size =
        length === undefined || length === null ? 21 : requireInteger(length, 'The length of nanoId');
      if (size < 1 || size > 1000)
        throw new ExpressionError('The length of nanoId must be between 1 and 1000');
      const letters = [...(optionalText(alphabet, 'The alphabet of nanoId') ?? `${base62}-_`)];
      if (letters.length === 0 || letters.length > 256)
        throw new ExpressionError('The alphabet of nanoId must have 1 to 256 characters');
      return [...askBytes(context, size * 2)].reduce((text, _byte, index, bytes) => {
        // Two bytes per character keep the modulo bias below one in two hundred.
        if (index % 2 === 1) return text;
        return text + letters[((bytes[index] ?? 0) * 256 + (bytes[index + 1] ?? 0)) % letters.length];
      }, '');
    },
  },
  randomInt: {
    names: ['lower', 'upper'],
    required: 2,
    run: ([lower, upper], { session }) => {
      const from = requireInteger(lower, 'The lower bound of randomInt');
      const to = requireInteger(upper, 'The upper bound of randomInt');
      if (to <= from)
        throw new ExpressionError(`The upper bound ${to} of randomInt must be above the lower bound ${from}`);
      return from + Math.floor(session.ask(() => session.host.random()) * (to - from));
    },
  },
  encrypt: {
    names: ['key', 'plaintext'],
    required: 2,
    run: ([key, text], context) => encrypt(key, text, context),
  },
  decrypt: { names: ['key', 'encrypted'], required: 2, run: ([key, text]) => decrypt(key, text) },
};

function uuidOf(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function ksuidOf(second: number, payload: Uint8Array): string {
  let value = BigInt(second - ksuidEpoch);
  for (const byte of payload) value = value * 256n + BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 62n) text = (base62[Number(value % 62n)] ?? '') + text;
  return text.padStart(27, '0');
}

function encrypt(key: unknown, text: unknown, context: Context): unknown {
  if (text === null || text === undefined || text === '') return text ?? null;
  const iv = askBytes(context, ivBytes);
  const sealed = gcm(keyOf(key), iv).encrypt(encodeUtf8(requireText(text, 'The plaintext of encrypt')));
  return encodeBase64(Uint8Array.from([...iv, ...sealed]));
}

function decrypt(key: unknown, text: unknown): unknown {
  if (text === null || text === undefined || text === '') return text ?? null;
  const bytes = decodeBase64(requireText(text, 'The text of decrypt'));
  try {
    return decodeUtf8(gcm(keyOf(key), bytes.slice(0, ivBytes)).decrypt(bytes.slice(ivBytes)));
  } catch (cause) {
    if (cause instanceof ExpressionError) throw cause;
    throw new ExpressionError('The text cannot be decrypted with this key', 'error', { cause });
  }
}

function keyOf(key: unknown): Uint8Array {
  const bytes = decodeBase64(requireText(key, 'The encryption key'));
  if (![16, 24, 32].includes(bytes.length))
    throw new ExpressionError('The encryption key must have 128, 192 or 256 bits, in base64');
  return bytes;
}
