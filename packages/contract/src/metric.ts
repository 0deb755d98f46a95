import { z } from 'zod';

export const MetricEntry = z.object({
  tenantId: z.string().optional(),
  namespace: z.string(),
  flowId: z.string(),
  taskId: z.string().optional(),
  executionId: z.string().optional(),
  taskRunId: z.string().optional(),
  type: z.enum(['counter', 'timer', 'gauge']),
  name: z.string(),
  value: z.number(),
  timestamp: z.string(),
  tags: z.record(z.string(), z.string()).optional(),
  deleted: z.boolean(),
});
export type MetricEntry = z.infer<typeof MetricEntry>;

export const metricBuckets = ['month', 'week', 'day', 'hour', 'minute'] as const;

/** Every bucket of the window, also those without a value. */
export const MetricAggregations = z.object({
  groupBy: z.enum(metricBuckets),
  aggregations: z.array(z.object({ name: z.string().optional(), value: z.number(), date: z.string() })),
});
export type MetricAggregations = z.infer<typeof MetricAggregations>;
