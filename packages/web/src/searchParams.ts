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

/** Lists that look back in time: a range up to now, or two dates. */
export const dateSearch = { timeRange: text, startDate: text, endDate: text };

/** Conditions by their full name, `filters[state][NOT_IN]`; the list knows which of them it can use. */
export type NestedFilters = { [name: `filters[${string}`]: string | string[] | undefined };

/** The address of a page that holds a list: the given parameters, and conditions by their full names. */
export function listSearchOf<const S extends z.ZodRawShape>(shape: S) {
  const schema = z.object(shape);
  return (raw: Record<string, unknown>): z.infer<typeof schema> & NestedFilters => ({
    ...schema.parse(raw),
    ...nestedFilters(raw),
  });
}

function nestedFilters(raw: Record<string, unknown>): NestedFilters {
  const nested = Object.entries(raw).filter(
    ([name, value]) =>
      name.startsWith('filters[') &&
      (typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))),
  );
  return Object.fromEntries(nested) as NestedFilters; // Only names that begin so passed.
}
