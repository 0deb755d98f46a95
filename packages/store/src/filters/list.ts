import { AppError } from '@millrace/contract';
import type { PageQuery, Sort } from '../port/queries.ts';
import type { Fields } from './fields.ts';
import { raw, type Sql } from './sql.ts';

/** One description per list: its filters and its order are made from it, and mistakes in both are reported with it. */
export interface List<C = Sql> extends SortedList {
  readonly fields: Fields<C>;
}

export interface SortedList {
  /** As messages name it. */
  readonly name: string;
  /** What a list can be sorted by. */
  readonly sort: Readonly<Record<string, string | SortField>>;
  readonly defaultSort: Sort;
  /** Columns that are unique together make pages stable. */
  readonly key: readonly string[];
}

interface SortField {
  readonly column: string;
  /** Rows without a value come first when ascending, last when descending, in both databases. */
  readonly nullable?: true;
  /** How rows with the same value are sorted, so that an index has the whole order. */
  readonly then?: readonly string[];
}

export const nullable = (column: string): SortField => ({ column, nullable: true });
export const ascending = (field: string): Sort => ({ field, descending: false });
export const descending = (field: string): Sort => ({ field, descending: true });

/** The ORDER BY of a page; fields come from the allow-list. */
export function orderBy({ name, sort, defaultSort, key }: SortedList, query: PageQuery): Sql {
  const sorts = query.sort === undefined || query.sort.length === 0 ? [defaultSort] : query.sort;
  const directionOf = (each: Sort | undefined): string => (each?.descending ? 'DESC' : 'ASC');
  const fields = sorts.map((each): SortField => {
    const field = Object.hasOwn(sort, each.field) ? sort[each.field] : undefined;
    if (field !== undefined) return typeof field === 'string' ? { column: field } : field;
    throw new AppError(
      'illegal-argument',
      `${name} cannot be sorted by ${JSON.stringify(String(each.field))}; known are ${Object.keys(sort).join(', ')}.`,
    );
  });
  const terms = fields.map(({ column, nullable }, index) => {
    const direction = directionOf(sorts[index]);
    const nulls = direction === 'DESC' ? ' NULLS LAST' : ' NULLS FIRST';
    return `${column} ${direction}${nullable === undefined ? '' : nulls}`;
  });
  const rest = [...(fields.at(-1)?.then ?? []), ...key];
  return raw([...terms, ...rest.map((column) => `${column} ${directionOf(sorts.at(-1))}`)].join(', '));
}

export function limitOf(query: PageQuery): { limit: number; offset: number } {
  const valid = Number.isSafeInteger(query.page) && query.page >= 1 && Number.isSafeInteger(query.size);
  if (!valid || query.size < 1) {
    throw new AppError('illegal-argument', 'A page number and a page size must be whole numbers from 1 on.');
  }
  return { limit: query.size, offset: (query.page - 1) * query.size };
}
