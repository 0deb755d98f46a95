import { z } from 'zod';

/** Query values arrive as text; lists by repetition of the name or, where allowed, with commas. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) =>
      value === undefined || value === ''
        ? undefined
        : (Array.isArray(value) ? value : [value]).flatMap((v) =>
            typeof v === 'string' ? v.split(',') : [v],
          ),
    z.array(item).optional(),
  );

export const flag = (fallback: boolean) =>
  z.preprocess(
    (value) => (value === undefined ? fallback : value === true || value === 'true' || value === ''),
    z.boolean(),
  );

export const maxPageSize = 10_000;

export const Paging = z.object({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .transform((size) => Math.min(size, maxPageSize)),
  sort: listOf(z.string().regex(/^[^:]+:[^:]+$/, 'must read "field:asc" or "field:desc"')),
});
export type Paging = z.infer<typeof Paging>;

export const pagedOf = <T extends z.ZodType>(item: T) =>
  z.object({ results: z.array(item), total: z.number().int() });
export type PagedResults<T> = { results: T[]; total: number };
