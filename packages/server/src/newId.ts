import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const timeLength = 8;
const randomLength = 14;
/** Bytes from here on would make the first letters of the alphabet more likely. */
const unbiased = 248;

const pool = new Uint8Array(8_192);
let position = pool.length;

/** A new identifier of 22 letters and digits: the time first, so that rows sort and indexes grow at one end, then 83 random bits. */
export function newId(now = Date.now()): string {
  let id = '';
  for (let rest = now, i = 0; i < timeLength; i++) {
    id = alphabet.charAt(rest % 62) + id;
    rest = Math.floor(rest / 62);
  }
  while (id.length < timeLength + randomLength) {
    const byte = nextByte();
    if (byte < unbiased) id += alphabet.charAt(byte % 62);
  }
  return id;
}

function nextByte(): number {
  if (position === pool.length) {
    randomFillSync(pool);
    position = 0;
  }
  // The position was just checked.
  return pool[position++]!;
}
