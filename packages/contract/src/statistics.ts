import { z } from 'zod';

const Counts = z.record(z.string(), z.number().int());

/** One bucket of time. The counts list every usual state, also those with nothing in them. */
export const DailyExecutionStatistics = z.object({
  startDate: z.string(),
  groupBy: z.enum(['month', 'week', 'day', 'hour', 'minute']),
  duration: z.object({
    min: z.string().optional(),
    avg: z.string().optional(),
    max: z.string().optional(),
    sum: z.string().optional(),
    count: z.number().int(),
  }),
  executionCounts: Counts,
});
export type DailyExecutionStatistics = z.infer<typeof DailyExecutionStatistics>;

export const ExecutionCountStatistics = z.object({ counts: Counts, total: z.number().int() });
export type ExecutionCountStatistics = z.infer<typeof ExecutionCountStatistics>;

export const LogStatistics = z.object({ timestamp: z.string(), groupBy: z.string(), counts: Counts });
export type LogStatistics = z.infer<typeof LogStatistics>;
