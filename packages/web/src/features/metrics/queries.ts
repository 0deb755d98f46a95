import { metrics } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { type DateRange, rangeBounds } from '../../ui/index.ts';

export interface FlowOfMetrics {
  namespace: string;
  flowId: string;
}

export const aggregations = ['sum', 'avg', 'min', 'max'] as const;
export type Aggregation = (typeof aggregations)[number];

/** The tasks of a flow that have ever reported a number. */
export const metricTasksQuery = (of: FlowOfMetrics) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), of, 'tasks'],
    queryFn: ({ signal }) => call(metrics.listMetricTasks, { params: of, signal }),
  });

/** What a flow, or one of its tasks, has reported. */
export const metricNamesQuery = (of: FlowOfMetrics, taskId: string | undefined) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), of, 'names', taskId],
    queryFn: ({ signal }) =>
      taskId === undefined
        ? call(metrics.listMetricNames, { params: of, signal })
        : call(metrics.listMetricNamesOfTask, { params: { ...of, taskId }, signal }),
  });

interface Question {
  taskId: string | undefined;
  metric: string;
  aggregation: Aggregation;
  range: DateRange;
}

/** A metric added up for each stretch of a range. A relative range ends at the moment of the call. */
export const aggregatesQuery = (of: FlowOfMetrics, { taskId, metric, aggregation, range }: Question) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), of, 'aggregates', taskId, metric, aggregation, range],
    queryFn: ({ signal }) => {
      const query = { aggregation, ...rangeBounds(range, Date.now(), parseIsoDuration) };
      return taskId === undefined
        ? call(metrics.aggregateMetric, { params: { ...of, metric }, query, signal })
        : call(metrics.aggregateMetricOfTask, { params: { ...of, taskId, metric }, query, signal });
    },
    placeholderData: keepPreviousData,
  });
