import { z } from 'zod';

const Query = z.record(z.string(), z.unknown());
const nameOf = (pathname: string): string => `list:${pathname}`;

/** What a list showed last in this tab of the browser. */
export function lastQueryOf(pathname: string): Record<string, unknown> | undefined {
  try {
    const stored = sessionStorage.getItem(nameOf(pathname));
    return stored === null ? undefined : Query.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}

export function rememberQuery(pathname: string, query: string): void {
  try {
    sessionStorage.setItem(nameOf(pathname), query);
  } catch {
    // Storage is off or full: the list opens without a memory.
  }
}

export function forgetQuery(pathname: string): void {
  try {
    sessionStorage.removeItem(nameOf(pathname));
  } catch {
    // The same.
  }
}
