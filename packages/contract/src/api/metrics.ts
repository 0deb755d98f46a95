import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { MetricAggregations, MetricEntry } from '../metric.ts';
import { Paging, pagedOf } from '../paging.ts';

const OfFlow = z.object({ namespace: z.string(), flowId: z.string() });
const OfTask = OfFlow.extend({ taskId: z.string() });
const Window = z.looseObject({
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  aggregation: z.enum(['sum', 'avg', 'min', 'max']).default('sum'),
});

export const searchMetrics = endpoint({
  method: 'GET',
  path: '/metrics/{executionId}',
  summary: 'Lists the metrics of an execution',
  params: z.object({ executionId: z.string() }),
  query: z.looseObject({
    ...Paging.shape,
    taskRunId: z.string().optional(),
    taskId: z.string().optional(),
  }),
  reply: pagedOf(MetricEntry),
});

export const listMetricNames = endpoint({
  method: 'GET',
  path: '/metrics/names/{namespace}/{flowId}',
  summary: 'Lists the names of the metrics that a flow has written',
  params: OfFlow,
  reply: z.array(z.string()),
});

export const listMetricNamesOfTask = endpoint({
  method: 'GET',
  path: '/metrics/names/{namespace}/{flowId}/{taskId}',
  summary: 'Lists the names of the metrics that a task has written',
  params: OfTask,
  reply: z.array(z.string()),
});

export const listMetricTasks = endpoint({
  method: 'GET',
  path: '/metrics/tasks/{namespace}/{flowId}',
  summary: 'Lists the tasks that have ever written a metric',
  params: OfFlow,
  reply: z.array(z.string()),
});

export const aggregateMetric = endpoint({
  method: 'GET',
  path: '/metrics/aggregates/{namespace}/{flowId}/{metric}',
  summary: 'Adds up a metric of a flow over time',
  params: OfFlow.extend({ metric: z.string() }),
  query: Window,
  reply: MetricAggregations,
});

export const aggregateMetricOfTask = endpoint({
  method: 'GET',
  path: '/metrics/aggregates/{namespace}/{flowId}/{taskId}/{metric}',
  summary: 'Adds up a metric of a task over time',
  params: OfTask.extend({ metric: z.string() }),
  query: Window,
  reply: MetricAggregations,
});
