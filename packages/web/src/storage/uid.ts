import { readStored, writeStored } from './storage.ts';

/** A random name for this browser, made at the first visit. */
export function browserId(): string {
  const stored = readStored('uid');
  if (stored) return stored;
  const uid = randomName();
  writeStored('uid', uid);
  return uid;
}

/** `crypto.randomUUID` is missing on pages that came over plain HTTP from another machine. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(11));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, '0')).join('');
}
