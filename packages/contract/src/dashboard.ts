import { z } from 'zod';

/** A chart as its author wrote it: the properties of every chart and those of its type. */
export const Chart = z.looseObject({
  id: z.string(),
  type: z.string(),
  chartOptions: z.record(z.string(), z.unknown()).optional(),
  data: z.looseObject({ type: z.string() }).optional(),
  /** For a chart of a plugin: the chart of the product that draws it. */
  chartToDraw: z.object({ type: z.string(), chartOptions: z.record(z.string(), z.unknown()) }).optional(),
});
export type Chart = z.infer<typeof Chart>;

export const Dashboard = z.object({
  tenantId: z.string().optional(),
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  /** ISO durations: the default time window and the largest one. */
  timeWindow: z.object({ default: z.string(), max: z.string() }),
  charts: z.array(Chart).optional(),
  created: z.string(),
  updated: z.string(),
  deleted: z.boolean(),
  sourceCode: z.string().optional(),
  /** Why it cannot be read; it can be deleted or saved again. */
  exception: z.string().optional(),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** The columns of a dashboard in the store; everything else is in its source. */
export const DashboardRecord = z.object({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Why its document cannot be read; its source is then empty. */
  problem: z.string().optional(),
});
export type DashboardRecord = z.infer<typeof DashboardRecord>;

export const ChartFilter = z.looseObject({ field: z.string(), operation: z.string(), value: z.unknown() });
export type ChartFilter = z.infer<typeof ChartFilter>;

/** Which rows a chart requests, beyond the filters of its author. Dates can be among the filters. */
export const ChartRequest = z.looseObject({
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  /** The time zone in which days begin; by default that of the server. */
  timeZone: z.string().nullish(),
  pageSize: z.number().int().min(1).nullish(),
  pageNumber: z.number().int().min(1).nullish(),
  namespace: z.string().nullish(),
  labels: z.union([z.record(z.string(), z.string()), z.array(z.string())]).nullish(),
  filters: z.array(ChartFilter).nullish(),
});
export type ChartRequest = z.infer<typeof ChartRequest>;

/** One property per column, under the name that the chart gives it. */
export const ChartRow = z.record(z.string(), z.unknown());
export type ChartRow = z.infer<typeof ChartRow>;
