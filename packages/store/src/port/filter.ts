/**
 * One condition of a list; all of them must hold. `field` and `operation` come from an allow-list per resource;
 * anything else is refused with `illegal-argument`.
 *
 * Values: dates are epoch milliseconds or ISO text; IN, NOT_IN, `scope` and `state` take a list (or one text);
 * `labels` takes a map of key to value; everything else one text. `q` is matched word by word (see `searchText.ts`).
 */
export interface Filter {
  readonly field: string;
  readonly operation: FilterOperation;
  readonly value: string | number | readonly string[] | Readonly<Record<string, string | readonly string[]>>;
}

export const filterOperations = [
  'EQUALS',
  'NOT_EQUALS',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN_OR_EQUAL_TO',
  'IN',
  'NOT_IN',
  'STARTS_WITH',
  'ENDS_WITH',
  'CONTAINS',
  'REGEX',
  'PREFIX',
] as const;
export type FilterOperation = (typeof filterOperations)[number];
