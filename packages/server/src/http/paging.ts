import { AppError } from '@millrace/contract';
import type { PageQuery } from '@millrace/store';

/** `sort=namespace:desc` and page numbers as the store takes them; any direction but `asc` means descending. */
export function toPageQuery(query: { page: number; size: number; sort?: string[] | undefined }): PageQuery {
  const sort = (query.sort ?? []).map((text) => {
    const [field = '', direction] = text.split(':');
    return { field, descending: direction !== 'asc' };
  });
  return { page: query.page, size: query.size, sort };
}

type Paged = { page: number; size: number; sort?: string[] | undefined };

/** One page of a list that is small enough to be in memory, sorted by the fields it knows. */
export function pageOf<T>(
  all: readonly T[],
  query: Paged,
  fields: Readonly<Record<string, (item: T) => string>>,
): { results: T[]; total: number } {
  const { sort = [], page, size } = toPageQuery(query);
  const sorted = [...all];
  for (const { field, descending } of [...sort].reverse()) {
    const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!read) {
      const known = Object.keys(fields).join(', ');
      throw new AppError('illegal-argument', `"${field}" is not a field to sort by; known are ${known}`);
    }
    const sign = descending ? -1 : 1;
    sorted.sort((a, b) => sign * (read(a) < read(b) ? -1 : read(a) > read(b) ? 1 : 0));
  }
  return { results: sorted.slice((page - 1) * size, page * size), total: all.length };
}
