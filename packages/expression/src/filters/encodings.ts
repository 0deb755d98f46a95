import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase64, encodeBase64 } from '../bytes/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/utf8.ts';
import { type Filters, requireText } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { javaText } from '../values/text.ts';

/** Filters that encode, decode and digest text. */
export const encodingFilters: Filters = {
  base64encode: {
    names: [],
    run: (input, _, { session }) => encodeBase64(encodeUtf8(javaText(input, session))),
  },
  base64decode: {
    names: [],
    run: (input) => decodeUtf8(decodeBase64(requireText(input, 'The input of base64decode'))),
  },
  md5: digest('md5', md5),
  sha1: digest('sha1', sha1),
  sha256: digest('sha256', sha256),
  sha512: digest('sha512', sha512),
  urlencode: { names: [], run: (input, _, { session }) => encodeForm(javaText(input, session)) },
  urldecode: { names: [], run: (input, _, { session }) => decodeForm(javaText(input, session)) },
};

function digest(name: string, hash: (bytes: Uint8Array) => Uint8Array): Filters[string] {
  return {
    names: [],
    run: (input) => bytesToHex(hash(encodeUtf8(requireText(input, `The input of ${name}`)))),
  };
}

/** As forms are encoded: a space is a plus, and more is escaped than in a path. */
function encodeForm(text: string): string {
  const wellFormed = text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '?',
  );
  return encodeURIComponent(wellFormed)
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Bytes that are no UTF-8 become the replacement character; only a broken escape is an error. */
function decodeForm(text: string): string {
  const stray = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (stray) throw new ExpressionError(`'${text.slice(0, 100)}' is not URL-encoded`);
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
      decodeUtf8(Uint8Array.from(run.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
    );
}
