import { z } from 'zod';
import { readSession, readStored, writeSession, writeStored } from './storage.ts';

/** A random name for this browser, made at the first visit. */
export function browserId(): string {
  const stored = readStored('uid');
  if (stored) return stored;
  const uid = randomName();
  writeStored('uid', uid);
  return uid;
}

let tab: string | undefined;

/** A random name for this browser tab, the same after a reload. A duplicated tab starts with the name of its original. */
export function tabId(): string {
  tab ??= readSession('draftTab', z.string());
  if (tab === undefined) {
    tab = randomName();
    writeSession('draftTab', tab);
  }
  return tab;
}

/** `crypto.randomUUID` is missing on pages that came over plain HTTP from another machine. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(11));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, '0')).join('');
}
