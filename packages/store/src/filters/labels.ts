import type { Filter } from '../port/filter.ts';
import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { and, never, not, or, raw, type Sql, sql } from './sql.ts';
import { entriesOf, refuseOperation } from './value.ts';

/** A label of one of these pairs of key and value. */
export type LabelPair = readonly [key: string, value: string];

export const labelOperations = ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN', 'CONTAINS'] as const;

/** The table and owner of the labels. Constants of this package. */
export interface LabelTable {
  readonly table: string;
  readonly owner: string;
  /** Checks the labels row by row, where joining them would collect too many. */
  readonly isPerRow?: boolean;
}

/**
 * EQUALS: every entry is a label; NOT_EQUALS and NOT_IN: none is; IN: at least one is; CONTAINS: for every entry there
 * is a label with this key whose value contains the text.
 */
export function labelsFilter(filter: Filter, dialect: Dialect, of: LabelTable): Sql {
  const entries = entriesOf(filter);
  switch (filter.operation) {
    case 'EQUALS':
      return and(...entries.map((pair) => hasLabel([pair], of)));
    case 'IN':
      return hasLabel(entries, of);
    case 'NOT_EQUALS':
    case 'NOT_IN':
      return not(hasLabel(entries, of));
    case 'CONTAINS':
      return and(...entries.map(([key, value]) => hasLabelText(key, value, dialect, of)));
    default:
      throw refuseOperation(filter);
  }
}

export const hasLabel = (pairs: readonly LabelPair[], of: LabelTable): Sql =>
  pairs.length === 0 ? never : labelExists(of, oneOfPairs('l', pairs, keyOf(of)));

export const hasLabelText = (key: string, text: string, dialect: Dialect, of: LabelTable): Sql =>
  labelExists(of, sql`${keyOf(of)} = ${encodeText(key)} AND ${dialect.contains(raw('l.value'), text)}`);

/**
 * Labels of one row are found by the row: an expression keeps the planner from using the index on the key.
 */
const keyOf = ({ isPerRow }: LabelTable): Sql => raw(isPerRow ? "(l.key || '')" : 'l.key');

/** `alias` is that of a table of labels. */
export const oneOfPairs = (alias: string, pairs: readonly LabelPair[], key = raw(`${alias}.key`)): Sql =>
  or(
    ...pairs.map(
      ([name, value]) => sql`(${key} = ${encodeText(name)} AND ${raw(alias)}.value = ${encodeText(value)})`,
    ),
  );

/** PostgreSQL turns an EXISTS in a column list into a hash table of all labels; a LIMIT prevents that. */
function labelExists({ table, owner, isPerRow }: LabelTable, where: Sql): Sql {
  const select = sql`SELECT 1 FROM ${raw(table)} l WHERE ${raw(owner)} AND ${where}`;
  return isPerRow ? sql`coalesce((${select} LIMIT 1), 0) = 1` : sql`EXISTS (${select})`;
}
