import type { Filter } from '../port/filter.ts';
import { encodeText } from '../rows/text.ts';
import { textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { always, never, or, raw, type Sql, sql } from './sql.ts';
import { listOf, textOf, wordOf } from './value.ts';

const column = raw('namespace');

/** Namespaces are paths: prefix, suffix and containment stop at dots. */
export function namespaceFilter(filter: Filter, dialect: Dialect): Sql {
  switch (filter.operation) {
    case 'STARTS_WITH':
    case 'PREFIX':
      return startsWith(textOf(filter));
    case 'ENDS_WITH':
      return dialect.endsWith(column, `.${textOf(filter)}`);
    case 'CONTAINS':
      return or(equalOrChild(textOf(filter)), dialect.endsWith(column, `.${textOf(filter)}`));
    default:
      return textColumn(column, filter, dialect);
  }
}

function startsWith(text: string): Sql {
  if (text === '') return always;
  return text.endsWith('.') ? children(text) : equalOrChild(text);
}

const equalOrChild = (text: string): Sql => or(sql`namespace = ${encodeText(text)}`, children(`${text}.`));

/** A range instead of a pattern, so that an index can be used: `/` is the character after `.`. */
const children = (prefix: string): Sql =>
  sql`(namespace >= ${encodeText(prefix)} AND namespace < ${encodeText(`${prefix.slice(0, -1)}/`)})`;

const systemNamespace = 'system';

/** USER and SYSTEM together restrict nothing, so their negation keeps nothing. */
export function scopeFilter(filter: Filter): Sql {
  const scopes = new Set(listOf(filter).map((value) => wordOf(filter, value, ['USER', 'SYSTEM'])));
  const negated = filter.operation === 'NOT_EQUALS';
  const user = scopes.has('USER') !== negated;
  const system = scopes.has('SYSTEM') !== negated;
  if (user && system) return always;
  if (user) return sql`namespace <> ${systemNamespace}`;
  return system ? sql`namespace = ${systemNamespace}` : never;
}
