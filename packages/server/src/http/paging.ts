import type { PageQuery } from '@millrace/store';

/** `sort=namespace:desc` and page numbers as the store takes them; any direction but `asc` means descending. */
export function toPageQuery(query: { page: number; size: number; sort?: string[] | undefined }): PageQuery {
  const sort = (query.sort ?? []).map((text) => {
    const [field = '', direction] = text.split(':');
    return { field, descending: direction !== 'asc' };
  });
  return { page: query.page, size: query.size, sort };
}
