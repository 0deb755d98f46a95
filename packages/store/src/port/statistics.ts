import type { LogLevel, StateType } from '@millrace/contract';
import type { BucketWidth } from '../statistics/calendar.ts';
import type { Filter } from './filter.ts';
import type { FlowKey } from './flowKey.ts';

/** What started (or, for logs, was written) in `from <= at < to`, in buckets of a time zone's clock and calendar. */
export interface StatisticsQuery {
  readonly from: number;
  readonly to: number;
  readonly width: BucketWidth;
  readonly timeZone: string;
  /** Those of the list of the same things; a state is the state now. */
  readonly filters: readonly Filter[];
  /** Only these flows. */
  readonly flows?: readonly FlowKey[];
  /** One series per flow or namespace that has anything to count, sorted; otherwise one series for all. */
  readonly groupBy?: 'flow' | 'namespace';
}

/** Every bucket of the window is there, the one of its end included, also when it counts nothing. */
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
 * Milliseconds, over what has ended. After a deletion or a restart the extremes can be too wide for a minute, until
 * the janitor has looked at the rows that are left.
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
