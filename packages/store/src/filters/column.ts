import type { Filter } from '../port/filter.ts';
import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { compilePattern } from './pattern.ts';
import { always, never, not, or, raw, type Sql, sql, values } from './sql.ts';
import { dateOf, listOf, refuseOperation, textOf } from './value.ts';

/** A plain text column. Negations keep the rows that have no value. */
export function textColumn(column: Sql, filter: Filter, dialect: Dialect): Sql {
  switch (filter.operation) {
    case 'EQUALS':
      return sql`${column} = ${encodeText(textOf(filter))}`;
    case 'NOT_EQUALS':
      return sql`${column} IS DISTINCT FROM ${encodeText(textOf(filter))}`;
    case 'IN':
      return oneOf(column, listOf(filter));
    case 'NOT_IN':
      return or(sql`${column} IS NULL`, not(oneOf(column, listOf(filter))));
    case 'CONTAINS':
      return dialect.contains(column, textOf(filter));
    case 'STARTS_WITH':
    case 'PREFIX':
      return textOf(filter) === '' ? always : startsWith(column, textOf(filter));
    case 'ENDS_WITH':
      return textOf(filter) === '' ? always : dialect.endsWith(column, textOf(filter));
    case 'REGEX':
      return dialect.matches(column, compilePattern(textOf(filter)).pattern());
    default:
      throw refuseOperation(filter);
  }
}

export const oneOf = (column: Sql, list: readonly string[]): Sql =>
  list.length === 0 ? never : sql`${column} IN (${values(list.map(encodeText))})`;

export const startsWith = (column: Sql, text: string): Sql =>
  sql`substr(${column}, 1, ${[...text].length}) = ${encodeText(text)}`;

const comparisons = {
  EQUALS: '=',
  NOT_EQUALS: '<>',
  GREATER_THAN: '>',
  LESS_THAN: '<',
  GREATER_THAN_OR_EQUAL_TO: '>=',
  LESS_THAN_OR_EQUAL_TO: '<=',
} as const;

export function dateColumn(column: Sql, filter: Filter): Sql {
  if (!Object.hasOwn(comparisons, filter.operation)) throw refuseOperation(filter);
  // `as`: checked by the line above.
  const comparison = comparisons[filter.operation as keyof typeof comparisons];
  return sql`${column} ${raw(comparison)} ${dateOf(filter)}`;
}
