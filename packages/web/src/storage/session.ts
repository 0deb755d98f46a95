import type { z } from 'zod';

/** What lasts as long as the tab of the browser does, reloads included. */
export function readSession<T>(name: string, schema: z.ZodType<T>): T | undefined {
  try {
    const stored = sessionStorage.getItem(name);
    return stored === null ? undefined : schema.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}

export function writeSession(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the app then works without its memory.
  }
}
