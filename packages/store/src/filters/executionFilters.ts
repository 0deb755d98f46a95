import { stateTypes } from '@millrace/contract';
import type { Filter } from '../port/filter.ts';
import { splitWords } from '../rows/searchText.ts';
import { dateColumn, oneOf, textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { comparisons, compileFilters, type Field, ids, texts } from './fields.ts';
import { hasLabel, hasLabelText, type LabelPair, labelsFilter } from './labels.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import { compilePattern } from './pattern.ts';
import type { SortField } from './sort.ts';
import { join, never, not, type Sql, sql } from './sql.ts';
import { dateOf, entriesOf, listOf, textOf, wordOf } from './value.ts';

/**
 * - `rollUp`: on columns that the roll-up has too.
 * - `start`: a bound of the start date, also as a range of milliseconds [from, to).
 * - `label`: a label out of some pairs of key and value, which can drive the whole query.
 * - `row`: anything else; `perRow` is the same condition for a query that stops after some rows.
 */
export type ExecutionCondition =
  | RollUpCondition
  | StartCondition
  | LabelCondition
  | { readonly kind: 'row'; readonly where: Sql; readonly perRow?: Sql };

/** A condition that the roll-up can count. */
export type CountedCondition = RollUpCondition | StartCondition;

interface RollUpCondition {
  readonly kind: 'rollUp';
  readonly field: string;
  readonly where: Sql;
  /** One value of a column. */
  readonly isExact: boolean;
}

interface StartCondition {
  readonly kind: 'start';
  readonly where: Sql;
  readonly from: number;
  readonly to: number;
}

export interface LabelCondition {
  readonly kind: 'label';
  readonly where: Sql;
  readonly perRow: Sql;
  readonly pairs: readonly LabelPair[];
}

/** A label whose value contains a text; see `executionConditions`. */
export interface LabelTextCondition {
  readonly kind: 'labelText';
  readonly where: Sql;
  readonly perRow: Sql;
  readonly key: string;
  readonly text: string;
}

/** A condition on the flow, which the sums of a whole namespace do not have. */
export const isOnFlow = (condition: ExecutionCondition): boolean =>
  condition.kind === 'rollUp' && (condition.field === 'flowId' || condition.field === 'q');

/** The full-text filter, which is first looked up among the flows; see `executionConditions`. */
export interface WordsCondition {
  readonly kind: 'words';
  readonly words: readonly string[];
  readonly negated: boolean;
}

type Condition = ExecutionCondition | WordsCondition | LabelTextCondition;

export function compileExecutionFilters(filters: readonly Filter[], dialect: Dialect): Condition[] {
  return compileFilters('executions', fieldsFor(dialect), filters).flat();
}

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<Condition[]>>> => ({
  q: { operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'], compile: (filter) => wordsCondition(filter, dialect) },
  scope: { operations: ['EQUALS', 'NOT_EQUALS'], compile: (filter) => [rollUp(filter, scopeFilter(filter))] },
  namespace: { operations: texts, compile: (filter) => [rollUp(filter, namespaceFilter(filter, dialect))] },
  flowId: {
    operations: texts,
    compile: (filter) => [rollUp(filter, textColumn('flow_id', filter, dialect))],
  },
  state: {
    operations: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'],
    compile: (filter) => [rollUp(filter, stateFilter(filter))],
  },
  startDate: { operations: comparisons, compile: (filter) => [startFilter(filter)] },
  // The end of a date range also bounds the start date: a range shows executions that started in it.
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

const row = (where: Sql): ExecutionCondition => ({ kind: 'row', where });
const rollUp = (filter: Filter, where: Sql): ExecutionCondition => ({
  kind: 'rollUp',
  field: filter.field,
  where,
  isExact: filter.field !== 'scope' && isOneValue(filter),
});

const isOneValue = (filter: Filter): boolean =>
  (filter.operation === 'EQUALS' || filter.operation === 'IN') && listOf(filter).length === 1;

function wordsCondition(filter: Filter, dialect: Dialect): Condition[] {
  const query = textOf(filter);
  if (filter.operation === 'REGEX') {
    const pattern = compilePattern(query).pattern();
    const columns = ['namespace', 'flow_id', 'executions.id'].map((column) =>
      dialect.matches(column, pattern),
    );
    return [row(join(columns, ' OR '))];
  }
  const words = query.trim() === '*' ? [] : splitWords(query);
  if (words.length > 0) return [{ kind: 'words', words, negated: filter.operation === 'NOT_EQUALS' }];
  return filter.operation === 'NOT_EQUALS' ? [row(never)] : [];
}

function stateFilter(filter: Filter): Sql {
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

const ofExecution = { table: 'execution_labels', owner: 'l.execution_id = executions.id' } as const;
const perRow = { ...ofExecution, isPerRow: true } as const;

export const labelCondition = (pairs: readonly LabelPair[]): LabelCondition => ({
  kind: 'label',
  where: hasLabel(pairs, ofExecution),
  perRow: hasLabel(pairs, perRow),
  pairs,
});

function executionLabels(filter: Filter, dialect: Dialect): Condition[] {
  const entries = entriesOf(filter);
  if (filter.operation === 'EQUALS') return entries.map((pair) => labelCondition([pair]));
  if (filter.operation === 'IN') return [labelCondition(entries)];
  if (filter.operation === 'CONTAINS') {
    return entries.map(([key, text]) => ({
      kind: 'labelText',
      where: hasLabelText(key, text, dialect, ofExecution),
      perRow: hasLabelText(key, text, dialect, perRow),
      key,
      text,
    }));
  }
  return [
    {
      kind: 'row',
      where: labelsFilter(filter, dialect, ofExecution),
      perRow: labelsFilter(filter, dialect, perRow),
    },
  ];
}

export const executionSortFields: Readonly<Record<string, SortField>> = {
  id: { column: 'executions.id' },
  'state.startDate': { column: 'executions.start_date' },
  'state.endDate': { column: 'end_date', nullable: true },
  'state.duration': { column: 'duration', nullable: true },
  namespace: { column: 'namespace', then: ['executions.start_date'] },
  flowId: { column: 'flow_id', then: ['namespace', 'executions.start_date'] },
  'state.current': { column: 'state', then: ['executions.start_date'] },
};

export const whereOf = (conditions: readonly ExecutionCondition[]): Sql =>
  join(
    conditions.map(({ where }) => where),
    ' AND ',
  );
