import type { LogLevel, StateType } from '@millrace/contract';
import type { BucketWidth } from '../statistics/calendar.ts';
import type { Filter } from './filter.ts';
import type { FlowKey } from './flowKey.ts';

/**
 * Counts runs by start (log entries by date) in `from <= at < to`, in buckets of a time zone's clock and
 * calendar.
 */
export interface StatisticsQuery {
  readonly from: number;
  readonly to: number;
  readonly width: BucketWidth;
  readonly timeZone: string;
  /** The filters of the matching list; a state filter compares the current state. */
  readonly filters: readonly Filter[];
  /** Only these flows. */
  readonly flows?: readonly FlowKey[];
  /** One series per flow or namespace that has anything to count, sorted; otherwise one series for all. */
  readonly groupBy?: 'flow' | 'namespace';
}

/** Contains every bucket of the window, including the one of its end, even when empty. */
export interface Series<B> {
  readonly namespace?: string;
  readonly flowId?: string;
  readonly buckets: readonly B[];
}

export interface RunBucket {
  /** When the bucket begins; the first one may begin before the window does. */
  readonly at: number;
  readonly counts: Readonly<Partial<Record<StateType, number>>>;
  readonly duration: DurationStatistics;
}

/**
 * Milliseconds, over runs that have ended. After a deletion or a restart, `min` and `max` can be too wide for
 * a minute, until the janitor has recomputed them from the remaining rows.
 */
export interface DurationStatistics {
  readonly count: number;
  readonly sum: number;
  readonly min?: number;
  readonly max?: number;
}

export interface LogBucket {
  readonly at: number;
  readonly counts: Readonly<Partial<Record<LogLevel, number>>>;
}
