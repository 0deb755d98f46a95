import { AppError, type Chart, type ChartRequest, type ChartRow, maxPageSize } from '@millrace/contract';
import type { OutboundClient, PluginCatalogue } from '@millrace/plugin-kit';
import type { AggregateColumn, AggregateCondition, Store } from '@millrace/store';
import { bucketFor } from '../actions/aggregateMetric.ts';
import { findFlow } from '../actions/findFlow.ts';
import type { FlowCache } from '../actions/flowCache.ts';
import type { Config } from '../config/schema.ts';
import type { TypeConfigurations } from '../plugins/configurations.ts';
import { serverZone } from '../scheduler/zone.ts';
import { type ChartData, columnsOf, readData } from './chartData.ts';
import { type ChartSource, type SourceQuery, sourceOf } from './chartSource.ts';
import type { ChartWindow } from './chartWindow.ts';
import { isMap } from './problem.ts';
import { askedConditions, fieldsOf, toCondition } from './where.ts';

type Parts = {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly catalogue: PluginCatalogue;
  readonly config: Config;
  readonly outbound: OutboundClient;
  readonly configurations: TypeConfigurations;
};
type Rows = { results: ChartRow[]; total: number };

/** The rows of a chart. Only groups that have something in them are there. */
export async function evaluateChart(
  chart: Chart,
  window: ChartWindow,
  request: ChartRequest,
  parts: Parts,
): Promise<Rows> {
  const described = describedFlow(chart);
  if (described) {
    const { record } = await findFlow(parts, described);
    return { results: [{ description: record.description ?? '' }], total: 1 };
  }
  const data = chart.data === undefined ? undefined : readData(chart.data, parts.catalogue);
  if (!data) throw new AppError('illegal-argument', `the chart "${chart.id}" has no data`);
  const source = sourceOf(data, parts);
  const asked = askedConditions(request, source.fields, parts.config.systemNamespace);
  const decided = new Set(asked.map(({ field }) => field));
  const own = (data.where ?? [])
    .map(toCondition)
    .filter((condition) => !fieldsOf(condition).some((field) => decided.has(field)));
  const query: SourceQuery = {
    columns: columnsFor(data),
    conditions: [...own, ...asked.map(({ condition }) => condition)],
    ...window,
    width: bucketFor(window.to - window.from - 1),
    timeZone: request.timeZone || serverZone,
    ...(data.orderBy && {
      orderBy: data.orderBy.map(({ column, order }) => ({ alias: column, descending: order === 'DESC' })),
    }),
    page: request.pageSize && request.pageNumber ? request.pageNumber : 1,
    size: Math.min(request.pageSize ?? maxPageSize, maxPageSize),
  };
  if (data.numerator) return share(query, data.numerator.map(toCondition), source);
  const { results, total } = await source.aggregate(query);
  return { results: results.map((row) => ({ ...row })), total };
}

/** The flow whose description a Markdown chart shows, if it shows one. */
function describedFlow({ source }: Chart): { namespace: string; id: string } | undefined {
  if (!isMap(source) || source.type !== 'FlowDescription') return undefined;
  return { namespace: String(source.namespace ?? ''), id: String(source.flowId ?? '') };
}

const columnsFor = (data: ChartData): AggregateColumn[] =>
  [...columnsOf(data)].map(([alias, { field, agg, labelKey }]) => ({
    alias,
    ...(field === undefined ? {} : { field }),
    ...(labelKey === undefined ? {} : { labelKey }),
    ...(agg === undefined ? {} : { aggregation: agg }),
  }));

/** The share of some rows among all of them, in percent with two decimals; 0 without rows. */
async function share(
  query: SourceQuery,
  numerator: readonly AggregateCondition[],
  source: ChartSource,
): Promise<Rows> {
  const [part, whole] = await Promise.all([
    source.aggregate({ ...query, conditions: [...query.conditions, ...numerator] }),
    source.aggregate(query),
  ]);
  const row = whole.results[0];
  if (!row) return { results: [], total: 0 };
  const results = Object.entries(row).map(([alias, value]): [string, number] => {
    const all = Number(value ?? 0);
    const percent = all === 0 ? 0 : (Number(part.results[0]?.[alias] ?? 0) / all) * 100;
    return [alias, Math.round(percent * 100) / 100];
  });
  return { results: [Object.fromEntries(results)], total: 1 };
}
