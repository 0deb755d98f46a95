import type { StateType } from '@millrace/contract';
import type { RunBucket, Series } from '@millrace/store';

export interface FailureRate {
  readonly ended: number;
  readonly failed: number;
  readonly percent: number;
}

const endStates = ['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELLED'] as const satisfies StateType[];

/** The share of failed executions among those that ended. Retried ones count with their last attempt only. */
export function failureRateOf(series: readonly Series<RunBucket>[]): FailureRate {
  const count = (state: StateType) =>
    series.reduce(
      (total, { buckets }) => buckets.reduce((sum, { counts }) => sum + (counts[state] ?? 0), total),
      0,
    );
  const ended = endStates.reduce((total, state) => total + count(state), 0);
  const failed = count('FAILED');
  return { ended, failed, percent: ended === 0 ? 0 : (failed * 100) / ended };
}

export const isAbove = (
  rate: FailureRate,
  limit: { readonly percent: number; readonly minExecutions: number },
): boolean => rate.ended >= limit.minExecutions && rate.failed > 0 && rate.percent >= limit.percent;
