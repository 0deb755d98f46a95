import { AppError } from '@millrace/contract';
import type { PageQuery, Sort } from '../port/queries.ts';

export interface SortField {
  readonly column: string;
  /** Rows without a value come first when ascending, last when descending, in both databases. */
  readonly nullable?: true;
  /** How rows with the same value are sorted, so that an index has the whole order. */
  readonly then?: readonly string[];
}

/** An ORDER BY from an allow-list; the unique `tiebreak` column makes pages stable. */
export function orderBy(
  resource: string,
  fields: Readonly<Record<string, SortField>>,
  query: PageQuery,
  fallback: { readonly sort: readonly Sort[]; readonly tiebreak: readonly string[] },
): string {
  const sorts = query.sort === undefined || query.sort.length === 0 ? fallback.sort : query.sort;
  const terms = sorts.map((sort) => {
    const field = Object.hasOwn(fields, sort.field) ? fields[sort.field] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields).join(', ');
      throw new AppError(
        'illegal-argument',
        `${resource} cannot be sorted by ${JSON.stringify(String(sort.field))}; known are ${known}.`,
      );
    }
    const direction = sort.descending ? 'DESC' : 'ASC';
    const nulls = field.nullable === undefined ? '' : sort.descending ? ' NULLS LAST' : ' NULLS FIRST';
    return `${field.column} ${direction}${nulls}`;
  });
  const last = sorts[sorts.length - 1];
  const direction = last?.descending ? 'DESC' : 'ASC';
  const then = last === undefined ? [] : (fields[last.field]?.then ?? []);
  return [...terms, ...[...then, ...fallback.tiebreak].map((column) => `${column} ${direction}`)].join(', ');
}

export function limitOf(query: PageQuery): { limit: number; offset: number } {
  const valid = Number.isSafeInteger(query.page) && query.page >= 1 && Number.isSafeInteger(query.size);
  if (!valid || query.size < 1) {
    throw new AppError('illegal-argument', 'A page number and a page size must be whole numbers from 1 on.');
  }
  return { limit: query.size, offset: (query.page - 1) * query.size };
}
