import type { KvQuery } from '../port/queries.ts';
import { textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { compileFilters, type Field, texts } from './fields.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import type { SortField } from './sort.ts';
import { join, type Sql, sql } from './sql.ts';
import { columnMatchesWords, wordsFilter } from './words.ts';

export function compileKvFilters({ filters, aliveAt }: KvQuery, dialect: Dialect): Sql {
  const conditions = compileFilters('key-value entries', fieldsFor(dialect), filters);
  if (aliveAt !== undefined) conditions.push(sql('(expires_at IS NULL OR expires_at > ?)', aliveAt));
  return join(conditions, ' AND ');
}

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<Sql>>> => ({
  q: {
    operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
    compile: (filter) =>
      wordsFilter(filter, dialect, ['namespace', 'key'], columnMatchesWords('search', dialect)),
  },
  scope: { operations: ['EQUALS', 'NOT_EQUALS'], compile: scopeFilter },
  namespace: { operations: texts, compile: (filter) => namespaceFilter(filter, dialect) },
  key: { operations: texts, compile: (filter) => textColumn('key', filter, dialect) },
});

export const kvSortFields: Readonly<Record<string, SortField>> = {
  key: { column: 'key' },
  namespace: { column: 'namespace' },
  creationDate: { column: 'created_at' },
  updateDate: { column: 'updated_at' },
  expirationDate: { column: 'expires_at', nullable: true },
};
