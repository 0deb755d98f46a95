import { Button } from '@mantine/core';
import { type MetricAggregations, metrics } from '@millrace/contract';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { parseIsoDuration } from '../../../format/duration.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CardError } from '../../../ui/Card.tsx';
import { StackedBars } from '../../../ui/charts/StackedBars.tsx';
import {
  BrokenPart,
  Card,
  type DateRange,
  EmptyState,
  type FilterField,
  ListFilters,
  Loading,
  RefreshButtons,
  rangeBounds,
  refreshMs,
  useListView,
  useLive,
} from '../../../ui/index.ts';
import { bucketName, fitted } from '../../stats/index.ts';
import styles from './FlowMetrics.module.css';

const defaultRange = 'P30D';

/** The numbers that the tasks of a flow report, over time: a chart for each of them, or one in large. */
export function FlowMetrics({ of }: { of: FlowOfMetrics }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const tasks = useQuery(metricTasksQuery(of));
  // Which names are offered depends on the task that the address asks for.
  const { task: taskId } = useSearch({ strict: false });
  const names = useQuery(metricNamesQuery(of, taskId));
  const fields = metricFields(t, tasks.data, names.data);
  const view = useListView({ fields, defaultSort: 'id:asc', defaultRange });
  const live = useLive(view);
  const chosen = (name: string) => view.conditions.find(({ field }) => field === name)?.values[0];
  // A metric that the chosen task never reported counts as not chosen.
  const metric = names.data?.find((name) => name === chosen('metric'));
  const aggregation = aggregations.find((name) => name === chosen('aggregation')) ?? 'sum';
  const [isWhole, setWhole] = useState(false);
  if (!tasks.data || !names.data) {
    const error = tasks.error ?? names.error;
    return error ? <BrokenPart error={error} onRetry={() => void tasks.refetch()} /> : <Loading />;
  }
  if (tasks.data.length === 0)
    return (
      <EmptyState
        illustration="stillWater"
        title={t('metricFilter.never')}
        text={t('metricFilter.neverText')}
      />
    );
  const all = metric === undefined ? names.data : [metric];
  const shown = isWhole ? all : all.slice(0, firstCharts);
  return (
    <>
      <ListFilters
        name="flow-metrics"
        view={view}
        tools={
          <RefreshButtons
            auto={live.auto}
            onRefresh={() => void client.invalidateQueries({ queryKey: ['metrics'] })}
          />
        }
      />
      <div className={styles.charts} data-one={shown.length === 1 || undefined}>
        {view.range &&
          shown.map((name) => (
            <Aggregates
              key={name}
              of={of}
              asked={{ taskId, metric: name, aggregation, range: view.range!, fits: !view.isRangeChosen }}
              size={shown.length === 1 ? 'lg' : 'md'}
              isLive={live.isOn}
            />
          ))}
      </div>
      {shown.length < all.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          {t('metricFilter.showAll', { number: formatNumber(all.length) })}
        </Button>
      )}
    </>
  );
}

/** Each chart is a call, so a flow with very many metrics begins with some of them. */
const firstCharts = 12;

interface AggregatesProps {
  of: FlowOfMetrics;
  asked: Parameters<typeof aggregatesQuery>[1];
  size: 'md' | 'lg';
  isLive: boolean;
}

function Aggregates({ of, asked, size, isLive }: AggregatesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...aggregatesQuery(of, asked),
    refetchInterval: isLive && refreshMs,
  });
  return (
    <Card title={`${asked.metric} · ${t(`metricFilter.${asked.aggregation}`)}`}>
      {error && !data ? (
        <CardError message={error.message} onRetry={() => void refetch()} />
      ) : data?.aggregations.every(({ value }) => value === 0) ? (
        <p className={styles.empty} data-size={size}>
          {t('metricFilter.empty')}
        </p>
      ) : (
        <MetricChart metric={asked.metric} data={data} size={size} />
      )}
    </Card>
  );
}

const metricFields = (
  t: TFunction,
  tasks: readonly string[] = [],
  names: readonly string[] = [],
): FilterField[] => [
  choiceOf('task', t('metricFilter.task'), tasks),
  choiceOf('metric', t('metricFilter.metric'), names),
  choiceOf(
    'aggregation',
    t('metricFilter.aggregation'),
    aggregations,
    (name) => t(`metricFilter.${name as Aggregation}`), // It is offered nothing else.
  ),
];

const choiceOf = (
  name: string,
  label: string,
  values: readonly string[],
  labelOf = (value: string) => value,
): FilterField => ({
  name,
  label,
  kind: 'choice',
  operations: ['EQUALS'],
  plain: { parameter: name, operation: 'EQUALS' },
  options: values.map((value) => ({ value, label: labelOf(value) })),
  isProminent: true,
});

interface MetricChartProps {
  metric: string;
  /** Undefined while it is on its way. */
  data: MetricAggregations | undefined;
  size: 'md' | 'lg';
}

/** A bar for each stretch of time, as high as the number. */
function MetricChart({ metric, data, size }: MetricChartProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 3 });
  return (
    <StackedBars
      label={t('metricFilter.chart', { metric })}
      buckets={data?.aggregations.map(({ date, value }) => ({
        key: date,
        label: bucketName(date, data.groupBy, i18n.language),
        counts: { [metric]: value },
      }))}
      series={[{ key: metric, label: metric, colour: 'var(--mr-brand)' }]}
      format={(value) => format.format(value)}
      hasLegend={false}
      size={size}
    />
  );
}

interface FlowOfMetrics {
  namespace: string;
  flowId: string;
}

const aggregations = ['sum', 'avg', 'min', 'max'] as const;
type Aggregation = (typeof aggregations)[number];

/** The tasks of a flow that have ever reported a number. */
const metricTasksQuery = (of: FlowOfMetrics) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), of, 'tasks'],
    queryFn: ({ signal }) => call(metrics.listMetricTasks, { params: of, signal }),
  });

/** What a flow, or one of its tasks, has reported. */
const metricNamesQuery = (of: FlowOfMetrics, taskId: string | undefined) =>
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
  /** Whether the chart begins with the first value: for a range that the user did not choose. */
  fits: boolean;
}

/** A metric added up for each stretch of a range. A relative range ends at the moment of the call. */
const aggregatesQuery = (of: FlowOfMetrics, { taskId, metric, aggregation, range, fits }: Question) =>
  queryOptions({
    queryKey: ['metrics', currentTenant(), of, 'aggregates', taskId, metric, aggregation, range, fits],
    queryFn: async ({ signal }): Promise<MetricAggregations> => {
      const read = (query: ReturnType<typeof rangeBounds> & { aggregation: Aggregation }) =>
        taskId === undefined
          ? call(metrics.aggregateMetric, { params: { ...of, metric }, query, signal })
          : call(metrics.aggregateMetricOfTask, { params: { ...of, taskId, metric }, query, signal });
      const window = { aggregation, ...rangeBounds(range, Date.now(), parseIsoDuration) };
      if (!fits) return read(window);
      let groupBy: MetricAggregations['groupBy'] = 'day';
      const aggregations = await fitted(
        window,
        async (asked) => {
          const found = await read(asked);
          groupBy = found.groupBy;
          return found.aggregations;
        },
        { startOf: ({ date }) => date, isEmpty: ({ value }) => value === 0 },
      );
      return { groupBy, aggregations: [...aggregations] };
    },
    placeholderData: keepPreviousData,
  });
