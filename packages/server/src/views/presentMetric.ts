import type { MetricEntry, MetricRecord } from '@millrace/contract';

/** The view of a metric on the API. */
export function presentMetric({ at, tags, ...metric }: MetricRecord): MetricEntry {
  return {
    ...metric,
    timestamp: new Date(at).toISOString(),
    ...(tags ? { tags: { ...tags } } : {}),
    deleted: false,
  };
}
