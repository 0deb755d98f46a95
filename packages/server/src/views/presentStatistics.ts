import {
  type DailyExecutionStatistics,
  type LogStatistics,
  logLevels,
  type StateType,
} from '@millrace/contract';
import { formatDuration } from '@millrace/engine';
import type { BucketWidth, LogBucket, RunBucket } from '@millrace/store';

/** Charts expect these in every bucket; others appear when there is something to count. */
const usualStates: readonly StateType[] = [
  'CREATED',
  'RUNNING',
  'RESTARTED',
  'KILLING',
  'SUCCESS',
  'WARNING',
  'FAILED',
  'KILLED',
  'PAUSED',
  'QUEUED',
  'CANCELLED',
];
const noRuns: Readonly<Record<string, number>> = Object.fromEntries(usualStates.map((state) => [state, 0]));
const noLogs: Readonly<Record<string, number>> = Object.fromEntries(logLevels.map((level) => [level, 0]));

export function presentRuns(buckets: readonly RunBucket[], groupBy: BucketWidth): DailyExecutionStatistics[] {
  return buckets.map(({ at, counts, duration }) => ({
    startDate: new Date(at).toISOString(),
    groupBy,
    duration: presentDuration(duration),
    executionCounts: { ...noRuns, ...counts },
  }));
}

function presentDuration({ count, sum, min, max }: RunBucket['duration']) {
  if (count === 0) return { count };
  return {
    ...(min === undefined ? {} : { min: formatDuration(min) }),
    avg: formatDuration(Math.round(sum / count)),
    ...(max === undefined ? {} : { max: formatDuration(max) }),
    sum: formatDuration(sum),
    count,
  };
}

export const presentLogs = (buckets: readonly LogBucket[], groupBy: BucketWidth): LogStatistics[] =>
  buckets.map(({ at, counts }) => ({
    timestamp: new Date(at).toISOString(),
    groupBy,
    counts: { ...noLogs, ...counts },
  }));

/** All buckets of a series together. */
export function sumCounts(buckets: readonly RunBucket[]): { counts: Record<string, number>; total: number } {
  const counts: Record<string, number> = { ...noRuns };
  let total = 0;
  for (const bucket of buckets) {
    for (const [state, count] of Object.entries(bucket.counts)) {
      counts[state] = (counts[state] ?? 0) + count;
      total += count;
    }
  }
  return { counts, total };
}
