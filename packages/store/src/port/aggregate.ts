import { type Aggregation, type chartComparisons, chartFields } from '@millrace/contract';
import type { BucketWidth } from '../statistics/calendar.ts';

/** The fields of each subject that can be aggregated: those of dashboards, and one for internal use. */
export const aggregateFields = {
  executions: [...chartFields.executions, 'TRIGGER_EXECUTION_ID'],
  logs: chartFields.logs,
  metrics: chartFields.metrics,
} as const;
export type AggregateSubject = keyof typeof aggregateFields;

export type AggregateCondition =
  | {
      readonly type: (typeof chartComparisons)[number];
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
  /** Optional only for COUNT. */
  readonly field?: string;
  readonly labelKey?: string;
  readonly aggregation?: Aggregation;
}

/** Aggregates rows with `from <= date < to` (for executions: the start date). */
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
