import type { Filter } from '../port/filter.ts';
import type { Dialect } from './dialect.ts';
import { compileFilters, type Field, texts } from './fields.ts';
import { namespaceFilter } from './namespace.ts';
import type { SortField } from './sort.ts';
import { join, type Sql } from './sql.ts';
import { columnMatchesWords, wordsFilter } from './words.ts';

export function compileTemplateFilters(filters: readonly Filter[], dialect: Dialect): Sql {
  return join(compileFilters('templates', fieldsFor(dialect), filters), ' AND ');
}

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<Sql>>> => ({
  q: {
    operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
    compile: (filter) =>
      wordsFilter(filter, dialect, ['namespace', 'id'], columnMatchesWords('search', dialect)),
  },
  namespace: { operations: texts, compile: (filter) => namespaceFilter(filter, dialect) },
});

export const templateSortFields: Readonly<Record<string, SortField>> = {
  id: { column: 'id' },
  namespace: { column: 'namespace' },
};
