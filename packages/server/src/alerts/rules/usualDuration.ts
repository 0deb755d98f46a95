import type { RunBucket, Series } from '@millrace/store';

/** How long the successful executions of a flow took lately. */
export interface UsualDuration {
  readonly count: number;
  readonly averageMs: number;
  readonly longestMs: number;
}

/** With fewer executions than this, no duration is usual. */
export const fewestExecutions = 5;

/** Adds up the buckets of a flow's successful executions; undefined when there are too few. */
export function usualDurationOf(
  series: readonly Series<RunBucket>[],
  fewest = fewestExecutions,
): UsualDuration | undefined {
  const durations = series.flatMap(({ buckets }) => buckets.map(({ duration }) => duration));
  const count = durations.reduce((total, each) => total + each.count, 0);
  if (count < fewest) return undefined;
  const sum = durations.reduce((total, each) => total + each.sum, 0);
  return {
    count,
    averageMs: sum / count,
    longestMs: Math.max(...durations.map(({ max }) => max ?? 0)),
  };
}

/** The time after which an execution takes longer than usual: `factor` times the average, and at least this. */
export const limitOf = (usual: UsualDuration, factor: number, atLeastMs: number): number =>
  Math.max(usual.averageMs * factor, atLeastMs);
