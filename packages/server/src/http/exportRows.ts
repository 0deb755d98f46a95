import type { Filter, Page, PageQuery, Sort } from '@millrace/store';
import type { FastifyRequest } from 'fastify';
import type { Product } from '../product.ts';
import { type FilterResource, readFilters } from './filters.ts';
import type { QueryValues } from './query.ts';

const size = 1_000;

/**
 * Every row of a list, page by page, so that only one page is in memory. A row that arrives meanwhile moves the
 * others to the next page, where they are skipped.
 */
export async function* allOf<T>(
  read: (page: PageQuery) => Promise<Page<T>>,
  keyOf: (row: T) => string,
  sort: readonly Sort[] = [],
): AsyncGenerator<T> {
  let before = new Set<string>();
  for (let page = 1; ; page++) {
    const { results } = await read({ page, size, sort });
    const keys = results.map(keyOf);
    for (const [index, row] of results.entries()) if (!before.has(keys[index] ?? '')) yield row;
    if (results.length < size) return;
    before = new Set(keys);
  }
}

export async function* mapped<T, R>(items: AsyncIterable<T>, toRow: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield toRow(item);
}

export const filtersOf = (
  request: FastifyRequest,
  resource: FilterResource,
  { clock, config }: Pick<Product, 'clock' | 'config'>,
): Filter[] =>
  readFilters(request.query as QueryValues, resource, {
    now: clock(),
    systemNamespace: config.systemNamespace,
  });
