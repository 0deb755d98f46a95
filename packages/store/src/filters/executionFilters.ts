import { stateTypes } from '@millrace/contract';
import type { Filter } from '../port/filter.ts';
import { splitWords } from '../rows/searchText.ts';
import { dateColumn, oneOf } from './column.ts';
import type { Dialect } from './dialect.ts';
import { date, equality, type Field, id, matchesPattern, namespace, scope, text } from './fields.ts';
import { hasLabel, hasLabelText, type LabelPair, labelOperations, labelsFilter } from './labels.ts';
import { descending, type List, nullable } from './list.ts';
import { and, never, not, raw, type Sql } from './sql.ts';
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
  /** The same on the copy of the start date in the table of labels, as `d`. */
  readonly onLabel: Sql;
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

const ranges: Readonly<Record<string, (at: number) => { from: number; to: number }>> = {
  EQUALS: (at) => ({ from: at, to: at + 1 }),
  GREATER_THAN: (at) => ({ from: at + 1, to: Number.POSITIVE_INFINITY }),
  GREATER_THAN_OR_EQUAL_TO: (at) => ({ from: at, to: Number.POSITIVE_INFINITY }),
  LESS_THAN: (at) => ({ from: Number.NEGATIVE_INFINITY, to: at }),
  LESS_THAN_OR_EQUAL_TO: (at) => ({ from: Number.NEGATIVE_INFINITY, to: at + 1 }),
};

const startDate: Field<Condition[]> = {
  ...date('executions.start_date'),
  compile: (filter) => {
    const where = dateColumn(raw('executions.start_date'), filter);
    const range = ranges[filter.operation]?.(dateOf(filter));
    if (range === undefined) return [{ kind: 'row', where }];
    return [{ kind: 'start', where, onLabel: dateColumn(raw('d.start_date'), filter), ...range }];
  },
};

export const executionList: List<Condition[]> = {
  name: 'executions',
  fields: {
    q: { operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'], compile: wordsCondition },
    scope: rolledUp(scope),
    namespace: rolledUp(namespace),
    flowId: rolledUp(text('flow_id')),
    state: rolledUp({ operations: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'], compile: stateFilter }),
    startDate,
    // The end of a date range also bounds the start date: a range shows executions that started in it.
    endDate: startDate,
    labels: { operations: labelOperations, compile: executionLabels },
    triggerExecutionId: onRow(id('trigger_execution_id')),
    childFilter: onRow({ operations: equality, compile: childFilter }),
  },
  sort: {
    id: 'executions.id',
    'state.startDate': 'executions.start_date',
    'state.endDate': nullable('end_date'),
    'state.duration': nullable('duration'),
    namespace: { column: 'namespace', then: ['executions.start_date'] },
    flowId: { column: 'flow_id', then: ['namespace', 'executions.start_date'] },
    'state.current': { column: 'state', then: ['executions.start_date'] },
  },
  defaultSort: descending('state.startDate'),
  key: ['executions.seq'],
};

function rolledUp({ operations, compile }: Field): Field<Condition[]> {
  const isOneValue = (filter: Filter): boolean =>
    (filter.operation === 'EQUALS' || filter.operation === 'IN') && listOf(filter).length === 1;
  return {
    operations,
    compile: (filter, dialect) => [
      {
        kind: 'rollUp',
        field: filter.field,
        where: compile(filter, dialect),
        isExact: filter.field !== 'scope' && isOneValue(filter),
      },
    ],
  };
}

function onRow({ operations, compile }: Field): Field<Condition[]> {
  return { operations, compile: (filter, dialect) => [{ kind: 'row', where: compile(filter, dialect) }] };
}

function wordsCondition(filter: Filter, dialect: Dialect): Condition[] {
  const query = textOf(filter);
  if (filter.operation === 'REGEX')
    return [
      { kind: 'row', where: matchesPattern(['namespace', 'flow_id', 'executions.id'], query, dialect) },
    ];
  const words = query.trim() === '*' ? [] : splitWords(query);
  if (words.length > 0) return [{ kind: 'words', words, negated: filter.operation === 'NOT_EQUALS' }];
  return filter.operation === 'NOT_EQUALS' ? [{ kind: 'row', where: never }] : [];
}

function childFilter(filter: Filter): Sql {
  const child = wordOf(filter, textOf(filter), ['CHILD', 'MAIN']) === 'CHILD';
  const kept = child === (filter.operation === 'EQUALS');
  return raw(`trigger_execution_id IS ${kept ? 'NOT NULL' : 'NULL'}`);
}

function stateFilter(filter: Filter): Sql {
  const states = listOf(filter).map((state) => wordOf(filter, state, stateTypes));
  const kept = oneOf(raw('state'), states);
  return filter.operation === 'EQUALS' || filter.operation === 'IN' ? kept : not(kept);
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

export const whereOf = (conditions: readonly ExecutionCondition[]): Sql =>
  and(...conditions.map(({ where }) => where));
