import { AppError, type MetricAggregations } from '@millrace/contract';
import type { MetricSpan, MetricSum, Store } from '@millrace/store';

export type Aggregation = 'sum' | 'avg' | 'min' | 'max';
type Bucket = MetricAggregations['groupBy'];

export interface AggregationRequest {
  readonly namespace: string;
  readonly flowId: string;
  readonly taskId?: string;
  readonly metric: string;
  readonly from: number;
  readonly to: number;
  readonly aggregation: Aggregation;
}

const hour = 3_600_000;
const day = 24 * hour;
/** More points than any chart can show; only a window of centuries has them. */
const maxBuckets = 10_000;

/** One metric over time, with every bucket of the window; those without a value are 0. */
export async function aggregateMetric(
  { metric, from, to, aggregation, ...flow }: AggregationRequest,
  { store }: { readonly store: Store },
): Promise<MetricAggregations> {
  if (from > to) throw new AppError('illegal-argument', 'startDate lies after endDate');
  const groupBy = bucketFor(to - from);
  const starts = bucketStarts(groupBy, from, to);
  const sums = await store.sumMetrics({ ...flow, name: metric, from, to, span: spanOf[groupBy] });
  const byStart = new Map<number, MetricSum>();
  for (const sum of sums) {
    const at = startOf(groupBy, sum.at);
    byStart.set(at, add(byStart.get(at), sum));
  }
  return {
    groupBy,
    aggregations: starts.map((at) => ({
      name: metric,
      value: totalOf(aggregation, byStart.get(at)),
      date: new Date(at).toISOString(),
    })),
  };
}

export function bucketFor(windowMs: number): Bucket {
  if (windowMs > 365 * day) return 'month';
  if (windowMs > 180 * day) return 'week';
  if (windowMs > day) return 'day';
  return windowMs > 6 * hour ? 'hour' : 'minute';
}

/** Weeks and months are put together from days. */
const spanOf: Readonly<Record<Bucket, MetricSpan>> = {
  month: 'day',
  week: 'day',
  day: 'day',
  hour: 'hour',
  minute: 'minute',
};

function bucketStarts(bucket: Bucket, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = startOf(bucket, from); at < to || starts.length === 0; at = nextOf(bucket, at)) {
    if (starts.length === maxBuckets)
      throw new AppError('illegal-argument', 'the time between startDate and endDate is too long');
    starts.push(at);
  }
  return starts;
}

/** Buckets are those of UTC; a week begins on Monday. */
function startOf(bucket: Bucket, at: number): number {
  const date = new Date(at);
  if (bucket === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const midnight = Math.floor(at / day) * day;
  if (bucket === 'week') return midnight - ((date.getUTCDay() + 6) % 7) * day;
  if (bucket === 'day') return midnight;
  const width = bucket === 'hour' ? hour : 60_000;
  return Math.floor(at / width) * width;
}

function nextOf(bucket: Bucket, at: number): number {
  const date = new Date(at);
  if (bucket === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  if (bucket === 'week') return at + 7 * day;
  return at + (bucket === 'day' ? day : bucket === 'hour' ? hour : 60_000);
}

function add(before: MetricSum | undefined, sum: MetricSum): MetricSum {
  if (!before) return sum;
  return {
    at: before.at,
    count: before.count + sum.count,
    sum: before.sum + sum.sum,
    min: Math.min(before.min, sum.min),
    max: Math.max(before.max, sum.max),
  };
}

function totalOf(aggregation: Aggregation, sum: MetricSum | undefined): number {
  if (!sum) return 0;
  return aggregation === 'avg' ? sum.sum / sum.count : sum[aggregation];
}
