import type { Filter } from '../port/store.ts';
import { encodeText } from '../rows/text.ts';
import type { Dialect } from './dialect.ts';
import { join, not, type Sql } from './sql.ts';
import { entriesOf, refuseOperation } from './value.ts';

/**
 * EQUALS: every entry is a label; NOT_EQUALS and NOT_IN: none is; IN: at least one is; CONTAINS: for every entry there
 * is a label with this key whose value contains the text. `table` and `owner` are constants of this package.
 */
export function labelsFilter(filter: Filter, dialect: Dialect, table: string, owner: string): Sql {
  const entries = entriesOf(filter);
  const has = ([key, value]: readonly [string, string]): Sql =>
    labelExists(table, owner, key, { text: 'l.value = ?', params: [encodeText(value)] });
  switch (filter.operation) {
    case 'EQUALS':
      return join(entries.map(has), ' AND ');
    case 'IN':
      return join(entries.map(has), ' OR ');
    case 'NOT_EQUALS':
    case 'NOT_IN':
      return not(join(entries.map(has), ' OR '));
    case 'CONTAINS':
      return join(
        entries.map(([key, value]) => labelExists(table, owner, key, dialect.contains('l.value', value))),
        ' AND ',
      );
    default:
      throw refuseOperation(filter);
  }
}

const labelExists = (table: string, owner: string, key: string, value: Sql): Sql => ({
  text: `EXISTS (SELECT 1 FROM ${table} l WHERE ${owner} AND l.key = ? AND ${value.text})`,
  params: [encodeText(key), ...value.params],
});
