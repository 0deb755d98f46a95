import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const letters = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0));
const timeLength = 8;
const length = 22;
/** Bytes from this value on are rejected because they would favor the first characters of the alphabet. */
const unbiased = 248;

const pool = new Uint8Array(8_192);
let position = pool.length;
const codes: number[] = new Array<number>(length).fill(0);

/** A new 22-character id: first the time, so that rows sort and indexes append, then 83 random bits. */
export function newId(now = Date.now()): string {
  for (let rest = now, i = timeLength - 1; i >= 0; i--) {
    codes[i] = letters[rest % 62]!;
    rest = Math.floor(rest / 62);
  }
  for (let i = timeLength; i < length; ) {
    const byte = nextByte();
    if (byte < unbiased) codes[i++] = letters[byte % 62]!;
  }
  return String.fromCharCode.apply(undefined, codes);
}

function nextByte(): number {
  if (position === pool.length) {
    randomFillSync(pool);
    position = 0;
  }
  // The position was just checked.
  return pool[position++]!;
}
