import { stateTypes } from '@millrace/contract';
import type { Filter } from '../port/store.ts';
import { encodeText } from '../rows/text.ts';
import { dateColumn, oneOf, textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { comparisons, compileFilters, type Field, ids, texts } from './fields.ts';
import { labelsFilter } from './labels.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import type { SortField } from './sort.ts';
import { join, not, type Sql, sql } from './sql.ts';
import { dateOf, entriesOf, listOf, textOf, wordOf } from './value.ts';
import { columnMatchesWords, wordsFilter } from './words.ts';

/**
 * `rollUp`: on columns that `execution_stats` has too. `start`: a bound of the start date, also as a range of
 * milliseconds [from, to). `label`: the first label of an EQUALS, which can drive the whole query. `row`: the rest.
 */
export type ExecutionCondition =
  | { readonly kind: 'rollUp' | 'row'; readonly where: Sql }
  | { readonly kind: 'start'; readonly where: Sql; readonly from: number; readonly to: number }
  | { readonly kind: 'label'; readonly where: Sql; readonly key: string; readonly value: string };

export function compileExecutionFilters(filters: readonly Filter[], dialect: Dialect): ExecutionCondition[] {
  return compileFilters('executions', fieldsFor(dialect), filters).flat();
}

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<ExecutionCondition[]>>> => ({
  q: {
    operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
    compile: (filter) => [
      row(wordsFilter(filter, dialect, searched, columnMatchesWords('executions.search', dialect))),
    ],
  },
  scope: { operations: ['EQUALS', 'NOT_EQUALS'], compile: (filter) => [rollUp(scopeFilter(filter))] },
  namespace: { operations: texts, compile: (filter) => [rollUp(namespaceFilter(filter, dialect))] },
  flowId: { operations: texts, compile: (filter) => [rollUp(textColumn('flow_id', filter, dialect))] },
  state: {
    operations: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'],
    compile: (filter) => [rollUp(stateFilter(filter))],
  },
  startDate: { operations: comparisons, compile: (filter) => [startFilter(filter)] },
  // The end of a date range bounds the start date as well: a range shows what started in it.
  endDate: { operations: comparisons, compile: (filter) => [startFilter(filter)] },
  labels: {
    operations: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN', 'CONTAINS'],
    compile: (filter) => executionLabels(filter, dialect),
  },
  triggerExecutionId: {
    operations: ids,
    compile: (filter) => [row(textColumn('trigger_execution_id', filter, dialect))],
  },
  childFilter: {
    operations: ['EQUALS', 'NOT_EQUALS'],
    compile: (filter) => {
      const child = wordOf(filter, textOf(filter), ['CHILD', 'MAIN']) === 'CHILD';
      const kept = child === (filter.operation === 'EQUALS');
      return [row(sql(`trigger_execution_id IS ${kept ? 'NOT NULL' : 'NULL'}`))];
    },
  },
});

const searched = ['namespace', 'flow_id', 'executions.id'];
const row = (where: Sql): ExecutionCondition => ({ kind: 'row', where });
const rollUp = (where: Sql): ExecutionCondition => ({ kind: 'rollUp', where });

export function stateFilter(filter: Filter): Sql {
  const states = listOf(filter).map((state) => wordOf(filter, state, stateTypes));
  const kept = oneOf('state', states);
  return filter.operation === 'EQUALS' || filter.operation === 'IN' ? kept : not(kept);
}

const ranges: Readonly<Record<string, (at: number) => { from: number; to: number }>> = {
  EQUALS: (at) => ({ from: at, to: at + 1 }),
  GREATER_THAN: (at) => ({ from: at + 1, to: Number.POSITIVE_INFINITY }),
  GREATER_THAN_OR_EQUAL_TO: (at) => ({ from: at, to: Number.POSITIVE_INFINITY }),
  LESS_THAN: (at) => ({ from: Number.NEGATIVE_INFINITY, to: at }),
  LESS_THAN_OR_EQUAL_TO: (at) => ({ from: Number.NEGATIVE_INFINITY, to: at + 1 }),
};

function startFilter(filter: Filter): ExecutionCondition {
  const where = dateColumn('executions.start_date', filter);
  const range = ranges[filter.operation];
  return range === undefined ? row(where) : { kind: 'start', where, ...range(dateOf(filter)) };
}

function executionLabels(filter: Filter, dialect: Dialect): ExecutionCondition[] {
  const condition = (where: Filter): Sql =>
    labelsFilter(where, dialect, 'execution_labels', 'l.execution_id = executions.id');
  if (filter.operation !== 'EQUALS') return [row(condition(filter))];
  return entriesOf(filter).map(([key, value]) => ({
    kind: 'label',
    where: condition({ ...filter, value: Object.fromEntries([[key, value]]) }),
    key: encodeText(key),
    value: encodeText(value),
  }));
}

export const executionSortFields: Readonly<Record<string, SortField>> = {
  id: { column: 'executions.id' },
  'state.startDate': { column: 'executions.start_date' },
  'state.endDate': { column: 'end_date', nullable: true },
  'state.duration': { column: 'duration', nullable: true },
  namespace: { column: 'namespace' },
  flowId: { column: 'flow_id' },
  'state.current': { column: 'state' },
};

export const conditionsOf = (conditions: readonly ExecutionCondition[]): Sql =>
  join(
    conditions.map((condition) => condition.where),
    ' AND ',
  );
