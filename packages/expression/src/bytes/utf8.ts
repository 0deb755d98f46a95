import { bytesToUtf8, utf8ToBytes } from '@noble/ciphers/utils.js';

export function encodeUtf8(text: string): Uint8Array {
  return utf8ToBytes(text);
}

export function decodeUtf8(bytes: Uint8Array): string {
  return bytesToUtf8(bytes);
}
