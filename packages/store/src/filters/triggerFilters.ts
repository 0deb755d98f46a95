import type { Filter } from '../port/filter.ts';
import { dateColumn, textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { comparisons, compileFilters, type Field, ids, texts } from './fields.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import type { SortField } from './sort.ts';
import { join, type Sql } from './sql.ts';
import { columnMatchesWords, wordsFilter } from './words.ts';

export function compileTriggerFilters(filters: readonly Filter[], dialect: Dialect): Sql {
  return join(compileFilters('triggers', fieldsFor(dialect), filters), ' AND ');
}

const textColumns = ['namespace', 'flow_id', 'trigger_id', 'execution_id'];

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<Sql>>> => ({
  q: {
    operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
    compile: (filter) => wordsFilter(filter, dialect, textColumns, columnMatchesWords('search', dialect)),
  },
  scope: { operations: ['EQUALS', 'NOT_EQUALS'], compile: scopeFilter },
  namespace: { operations: texts, compile: (filter) => namespaceFilter(filter, dialect) },
  flowId: { operations: texts, compile: (filter) => textColumn('flow_id', filter, dialect) },
  triggerId: { operations: ids, compile: (filter) => textColumn('trigger_id', filter, dialect) },
  executionId: { operations: ids, compile: (filter) => textColumn('execution_id', filter, dialect) },
  type: { operations: ids, compile: (filter) => textColumn('type', filter, dialect) },
  nextExecutionDate: { operations: comparisons, compile: (filter) => dateColumn('next_at', filter) },
  // No trigger is evaluated by a worker, so no row has one.
  workerId: { operations: ids, compile: (filter) => textColumn('CAST(NULL AS TEXT)', filter, dialect) },
});

export const triggerSortFields: Readonly<Record<string, SortField>> = {
  namespace: { column: 'namespace' },
  flowId: { column: 'flow_id' },
  triggerId: { column: 'trigger_id' },
  executionId: { column: 'execution_id', nullable: true },
  nextExecutionDate: { column: 'next_at', nullable: true },
  updatedDate: { column: 'updated_at' },
  disabled: { column: 'disabled' },
};
