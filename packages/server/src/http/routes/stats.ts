import { type DailyExecutionStatistics, stats } from '@millrace/contract';
import { presentExecution } from '@millrace/engine';
import type { FlowKey, Series, StatisticsQuery } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import type { Product } from '../../product.ts';
import { presentLogs, presentRuns, sumCounts } from '../../views/presentStatistics.ts';
import { mount } from '../mount.ts';
import { readStatistics } from '../statsWindow.ts';

export function mountStats(app: FastifyInstance, { store, clock, config }: Product): void {
  const context = () => ({ now: clock(), systemNamespace: config.systemNamespace });
  const bucketsOf = <B>(series: readonly Series<B>[]): readonly B[] => series[0]?.buckets ?? [];

  mount(app, stats.getSummary, async ({ body }) => {
    const { flows, triggers } = await store.countFlowsAndTriggers(body.namespace ?? undefined);
    return { flows, triggers };
  });

  mount(app, stats.getDailyExecutions, async ({ body }) => {
    const query = readStatistics(body, 'execution', context());
    return presentRuns(bucketsOf(await store.executionStatistics(query)), query.width);
  });

  mount(app, stats.getDailyTaskRuns, async ({ body }) => {
    const query = readStatistics(body, 'task', context());
    return presentRuns(bucketsOf(await store.taskRunStatistics(query)), query.width);
  });

  mount(app, stats.getDailyExecutionsByFlow, async ({ body }) => {
    const { flows, namespaceOnly, ...rest } = body;
    const query: StatisticsQuery = {
      ...readStatistics(rest, 'execution', context()),
      groupBy: namespaceOnly ? 'namespace' : 'flow',
      ...(flows ? { flows: flows.map(keyOf) } : {}),
    };
    const byNamespace: Record<string, Record<string, DailyExecutionStatistics[]>> = {};
    for (const { namespace = '', flowId = '*', buckets } of await store.executionStatistics(query)) {
      byNamespace[namespace] ??= {};
      byNamespace[namespace][flowId] = presentRuns(buckets, query.width);
    }
    return byNamespace;
  });

  mount(app, stats.getExecutionsByNamespace, async ({ body }) => {
    const { namespace, ...rest } = body;
    const query = readStatistics(rest, 'execution', context());
    const exactly = { field: 'namespace', operation: 'EQUALS', value: namespace ?? '' } as const;
    const series = await store.executionStatistics({
      ...query,
      groupBy: 'namespace',
      filters: namespace ? [...query.filters, exactly] : query.filters,
    });
    return Object.fromEntries(series.map(({ namespace: name = '', buckets }) => [name, sumCounts(buckets)]));
  });

  mount(app, stats.getDailyLogs, async ({ body }) => {
    const { logLevel, ...rest } = body;
    const query = readStatistics({ ...rest, minLevel: logLevel }, 'log', context());
    return presentLogs(bucketsOf(await store.logStatistics(query)), query.width);
  });

  mount(app, stats.getLatestExecutionsByFlow, async ({ body }) => {
    const found = await store.latestExecutions((body.flows ?? []).map(keyOf), 'end');
    return found.map(({ execution }) => presentExecution(execution, [], clock()));
  });

  mount(app, stats.getLatestExecutions, async ({ body }) => {
    const found = await store.latestExecutions(body.map(keyOf), 'start');
    return found.map(({ execution: { id, namespace, flowId, state } }) => ({
      id,
      namespace,
      flowId,
      startDate: new Date(state.histories[0]?.date ?? clock()).toISOString(),
      status: state.current,
    }));
  });
}

const keyOf = ({ namespace, id }: FlowKey): FlowKey => ({ namespace, id });
