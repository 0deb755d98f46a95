import type { BucketWidth } from '../statistics/calendar.ts';

/** What can be aggregated, and by which of its fields. The same words as in a dashboard. */
export const aggregateFields = {
  executions: [
    'ID',
    'NAMESPACE',
    'FLOW_ID',
    'FLOW_REVISION',
    'STATE',
    'DURATION',
    'LABELS',
    'START_DATE',
    'END_DATE',
    'TRIGGER_EXECUTION_ID',
  ],
  logs: [
    'NAMESPACE',
    'FLOW_ID',
    'EXECUTION_ID',
    'TASK_ID',
    'DATE',
    'TASK_RUN_ID',
    'ATTEMPT_NUMBER',
    'TRIGGER_ID',
    'LEVEL',
    'MESSAGE',
  ],
  metrics: [
    'NAMESPACE',
    'FLOW_ID',
    'TASK_ID',
    'EXECUTION_ID',
    'TASK_RUN_ID',
    'TYPE',
    'NAME',
    'VALUE',
    'DATE',
  ],
} as const;
export type AggregateSubject = keyof typeof aggregateFields;

export const aggregations = ['AVG', 'MAX', 'MIN', 'SUM', 'COUNT'] as const;
export type Aggregation = (typeof aggregations)[number];

export const aggregateComparisons = [
  'CONTAINS',
  'ENDS_WITH',
  'EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'IN',
  'IS_FALSE',
  'IS_NOT_NULL',
  'IS_NULL',
  'IS_TRUE',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'NOT_EQUAL_TO',
  'NOT_IN',
  'REGEX',
  'STARTS_WITH',
] as const;

export type AggregateCondition =
  | {
      readonly type: (typeof aggregateComparisons)[number];
      readonly field: string;
      /** Which label, for the field LABELS. */
      readonly labelKey?: string;
      /** One value, or a list for IN and NOT_IN. Dates are epoch milliseconds or ISO text, durations seconds. */
      readonly value?: string | number | boolean | readonly (string | number | boolean)[];
    }
  | { readonly type: 'OR'; readonly conditions: readonly AggregateCondition[] };

/** Without `aggregation` a column is part of the key that rows are grouped by. */
export interface AggregateColumn {
  readonly alias: string;
  /** Only COUNT can do without. */
  readonly field?: string;
  readonly labelKey?: string;
  readonly aggregation?: Aggregation;
}

/** Over what is dated `from <= date < to` (for executions: their start). */
export interface AggregateQuery {
  readonly subject: AggregateSubject;
  readonly columns: readonly AggregateColumn[];
  readonly conditions: readonly AggregateCondition[];
  readonly from: number;
  readonly to: number;
  /** Dates in the key are cut to this width. */
  readonly width: BucketWidth;
  readonly timeZone: string;
  /** By alias. Without it: by the columns of the key. */
  readonly orderBy?: readonly { readonly alias: string; readonly descending: boolean }[];
  readonly page?: number;
  readonly size?: number;
}

/**
 * A value per alias. Dates of the key are texts: `2025-03`, `2025-09` (a week), `2025-03-01`, `2025-03-01 14:00:00`; other
 * dates are ISO texts. Durations are seconds.
 */
export type AggregateRow = Readonly<Record<string, string | number | null>>;
