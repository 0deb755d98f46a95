import { compileFilters } from '../filters/fields.ts';
import { type List, limitOf, orderBy } from '../filters/list.ts';
import { and, raw, type Sql, sql } from '../filters/sql.ts';
import type { Filter } from '../port/filter.ts';
import type { Page, PageQuery } from '../port/queries.ts';
import { readable } from '../rows/readable.ts';
import type { Row } from '../rows/value.ts';
import type { Queries } from './queries.ts';

/** A list of a table that is small enough to count its matches for every page. */
export interface TableList<T> extends List {
  readonly table: string;
  readonly columns: string;
  readonly decode: (row: Row) => T;
}

type Query = PageQuery & { readonly filters?: readonly Filter[] };

/** `conditions` must hold in addition to the filters. */
export async function readPage<T>(
  queries: Queries,
  list: TableList<T>,
  query: Query,
  ...conditions: readonly Sql[]
): Promise<Page<T>> {
  const where = and(...conditions, ...compileFilters(list, query.filters ?? [], queries.dialect));
  const from = sql`FROM ${raw(list.table)} WHERE ${where}`;
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(
      sql`SELECT ${raw(list.columns)} ${from} ORDER BY ${orderBy(list, query)} LIMIT ${limit} OFFSET ${offset}`,
    ),
    queries.scan(sql`SELECT count(*) AS total ${from}`),
  ]);
  return { results: readable(rows, list.decode), total: Number(counts[0]?.total ?? 0) };
}
