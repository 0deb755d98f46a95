import { metrics } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { type AggregationRequest, aggregateMetric } from '../../actions/aggregateMetric.ts';
import type { Product } from '../../product.ts';
import { readDate } from '../../readDate.ts';
import { presentMetric } from '../../views/presentMetric.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';

const defaultWindowMs = 30 * 86_400_000;

export function mountMetrics(app: FastifyInstance, product: Product): void {
  const { store, clock } = product;

  mount(app, metrics.searchMetrics, async ({ params, query }) => {
    const { taskId, taskRunId } = query;
    const { results, total } = await store.searchMetrics({
      ...toPageQuery(query),
      ...params,
      ...(taskId === undefined ? {} : { taskId }),
      ...(taskRunId === undefined ? {} : { taskRunId }),
    });
    return { results: results.map(presentMetric), total };
  });

  mount(app, metrics.listMetricNames, ({ params }) => store.listMetricNames(params.namespace, params.flowId));

  mount(app, metrics.listMetricNamesOfTask, ({ params }) =>
    store.listMetricNames(params.namespace, params.flowId, params.taskId),
  );

  mount(app, metrics.listMetricTasks, ({ params }) => store.listMetricTasks(params.namespace, params.flowId));

  mount(app, metrics.aggregateMetric, ({ params, query }) =>
    aggregateMetric({ ...params, ...windowOf(query, clock()) }, product),
  );

  mount(app, metrics.aggregateMetricOfTask, ({ params, query }) =>
    aggregateMetric({ ...params, ...windowOf(query, clock()) }, product),
  );
}

function windowOf(
  query: {
    readonly startDate?: string | undefined;
    readonly endDate?: string | undefined;
    readonly aggregation: AggregationRequest['aggregation'];
  },
  now: number,
) {
  const to = query.endDate === undefined ? now : readDate(query.endDate);
  const from = query.startDate === undefined ? now - defaultWindowMs : readDate(query.startDate);
  return { from, to, aggregation: query.aggregation };
}
