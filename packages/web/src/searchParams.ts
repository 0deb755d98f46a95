import { z } from 'zod';
import { queryString } from './api/queryString.ts';

/** Reads `?a=1&b=x&b=y` as `{ a: '1', b: ['x', 'y'] }`; each route's schema then gives the values their types. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  const found: Record<string, string | string[]> = {};
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    found[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return found;
}

export const stringifySearch = (search: Record<string, unknown>): string => queryString(search);

/** An address is typed by people: a value that makes no sense is dropped, never an error. */
export const text = z.string().min(1).optional().catch(undefined);
export const count = z.coerce.number().int().min(1).optional().catch(undefined);

/** One or several values of the same parameter. */
export const several = <T extends z.ZodType>(item: T) =>
  z
    .preprocess((value) => (Array.isArray(value) || value === undefined ? value : [value]), z.array(item))
    .optional()
    .catch(undefined);

/** What every list keeps in its address. */
export const listSearch = {
  q: text,
  namespace: text,
  sort: z
    .string()
    .regex(/^[\w.]+:(asc|desc)$/)
    .optional()
    .catch(undefined),
  page: count,
  size: count,
};
