import { readStored, writeStored } from './storage.ts';

/** A random name for this browser, made at the first visit. */
export function browserId(): string {
  const stored = readStored('uid');
  if (stored) return stored;
  // `crypto.randomUUID` is missing on pages that came over plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(11));
  const uid = [...bytes].map((byte) => byte.toString(36).padStart(2, '0')).join('');
  writeStored('uid', uid);
  return uid;
}
