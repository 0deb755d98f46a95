import { AppError } from '@millrace/contract';
import type { Filter, FilterOperation } from '../port/filter.ts';
import { refuseOperation } from './value.ts';

/** The operations of one field of a resource, and how a filter on it compiles to a condition `C`. */
export interface Field<C> {
  readonly operations: readonly FilterOperation[];
  compile(filter: Filter): C;
}

export const comparisons = [
  'EQUALS',
  'NOT_EQUALS',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN_OR_EQUAL_TO',
] as const satisfies readonly FilterOperation[];

export const texts = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'REGEX',
  'IN',
  'NOT_IN',
  'PREFIX',
] as const satisfies readonly FilterOperation[];

export const ids = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
  'NOT_IN',
] as const satisfies readonly FilterOperation[];

/** Finds each filter's field in the allow-list; an unknown field or an unsupported pair is the caller's mistake. */
export function compileFilters<C>(
  resource: string,
  fields: Readonly<Record<string, Field<C>>>,
  filters: readonly Filter[],
): C[] {
  return filters.map((filter) => {
    const field = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields).join(', ');
      throw new AppError(
        'illegal-argument',
        `${JSON.stringify(String(filter.field))} is not a filter of ${resource}; known are ${known}.`,
      );
    }
    if (!field.operations.includes(filter.operation)) throw refuseOperation(filter);
    return field.compile(filter);
  });
}
