import { AppError } from '@millrace/contract';
import type { Filter, FilterOperation } from '../port/filter.ts';
import { searchWords } from '../rows/searchText.ts';
import { dateColumn, textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import { compilePattern } from './pattern.ts';
import { always, and, not, or, raw, type Sql } from './sql.ts';
import { refuseOperation, textOf } from './value.ts';

/** The operations of one field of a list, and how a filter on it compiles to a condition `C`. */
export interface Field<C = Sql> {
  readonly operations: readonly FilterOperation[];
  compile(filter: Filter, dialect: Dialect): C;
}

export type Fields<C = Sql> = Readonly<Record<string, Field<C>>>;

export const equality = ['EQUALS', 'NOT_EQUALS'] as const satisfies readonly FilterOperation[];

const comparisons: readonly FilterOperation[] = [
  ...equality,
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN_OR_EQUAL_TO',
];

const ids: readonly FilterOperation[] = [...equality, 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'IN', 'NOT_IN'];

const texts: readonly FilterOperation[] = [...ids, 'REGEX', 'PREFIX'];

export const scope: Field = { operations: equality, compile: scopeFilter };
export const namespace: Field = { operations: texts, compile: namespaceFilter };

export const text = (column: string): Field => ({
  operations: texts,
  compile: (filter, dialect) => textColumn(raw(column), filter, dialect),
});

/** A column of ids, which no pattern is matched against. */
export const id = (column: string): Field => ({ ...text(column), operations: ids });

export const date = (column: string): Field => ({
  operations: comparisons,
  compile: (filter) => dateColumn(raw(column), filter),
});

/**
 * The full-text filter `q`: every word must begin a token. `matches` compiles this for the list; a pattern is matched
 * against each of `columns`. `*`, or an empty query, matches everything.
 */
export const words = (columns: readonly string[], matches = columnHasWords('search')): Field => ({
  operations: [...equality, 'REGEX'],
  compile: (filter, dialect) => {
    if (filter.operation === 'REGEX') return matchesPattern(columns, textOf(filter), dialect);
    const wanted = wordsIn(textOf(filter));
    const matching = wanted.length === 0 ? always : matches(wanted, dialect);
    return filter.operation === 'NOT_EQUALS' ? not(matching) : matching;
  },
});

export const wordsIn = (query: string): string[] => (query.trim() === '*' ? [] : searchWords(query));

export const matchesPattern = (columns: readonly string[], query: string, dialect: Dialect): Sql => {
  const pattern = compilePattern(query).pattern();
  return or(...columns.map((column) => dialect.matches(raw(column), pattern)));
};

/** For a table that stores its tokens in a column. */
export const columnHasWords =
  (column: string) =>
  (wanted: readonly string[], dialect: Dialect): Sql =>
    and(...wanted.map((word) => dialect.contains(raw(column), word)));

/** Finds each filter's field in the allow-list; an unknown field or an unsupported pair is the caller's mistake. */
export function compileFilters<C>(
  { name, fields }: { readonly name: string; readonly fields: Fields<C> },
  filters: readonly Filter[],
  dialect: Dialect,
): C[] {
  return filters.map((filter) => {
    const field = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields).join(', ');
      throw new AppError(
        'illegal-argument',
        `${JSON.stringify(String(filter.field))} is not a filter of ${name}; known are ${known}.`,
      );
    }
    if (!field.operations.includes(filter.operation)) throw refuseOperation(filter);
    return field.compile(filter, dialect);
  });
}
