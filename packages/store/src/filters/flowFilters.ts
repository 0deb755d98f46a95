import type { FlowQuery } from '../port/queries.ts';
import { searchWords } from '../rows/searchText.ts';
import { textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { compileFilters, type Field, texts } from './fields.ts';
import { labelsFilter } from './labels.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import type { SortField } from './sort.ts';
import { join, type Sql } from './sql.ts';
import { columnMatchesWords, wordsFilter } from './words.ts';

export function compileFlowFilters(query: FlowQuery, dialect: Dialect): Sql {
  const conditions = compileFilters('flows', fieldsFor(dialect), query.filters);
  const words = query.source === undefined || query.source.trim() === '*' ? [] : searchWords(query.source);
  return join([...conditions, columnMatchesWords('source_search', dialect)(words)], ' AND ');
}

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<Sql>>> => ({
  q: {
    operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
    compile: (filter) =>
      wordsFilter(filter, dialect, ['namespace', 'flows.id'], columnMatchesWords('search', dialect)),
  },
  scope: { operations: ['EQUALS', 'NOT_EQUALS'], compile: scopeFilter },
  namespace: { operations: texts, compile: (filter) => namespaceFilter(filter, dialect) },
  flowId: { operations: texts, compile: (filter) => textColumn('flows.id', filter, dialect) },
  labels: {
    operations: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN', 'CONTAINS'],
    compile: (filter) =>
      labelsFilter(filter, dialect, {
        table: 'flow_labels',
        owner: 'l.namespace = flows.namespace AND l.id = flows.id AND l.revision = flows.revision',
      }),
  },
});

export const flowSortFields: Readonly<Record<string, SortField>> = {
  id: { column: 'id' },
  namespace: { column: 'namespace' },
  revision: { column: 'revision' },
  description: { column: 'description', nullable: true },
  disabled: { column: 'disabled' },
  updated: { column: 'updated_at' },
};
