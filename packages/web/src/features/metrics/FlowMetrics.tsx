import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import {
  BrokenPart,
  Card,
  EmptyState,
  type FilterField,
  ListFilters,
  Loading,
  RefreshButtons,
  refreshMs,
  useListView,
  useLive,
} from '../../ui/index.ts';
import { MetricChart } from './MetricChart.tsx';
import {
  type Aggregation,
  aggregatesQuery,
  aggregations,
  type FlowOfMetrics,
  metricNamesQuery,
  metricTasksQuery,
} from './queries.ts';

const defaultRange = 'P30D';

/** How a number that the tasks of a flow report went over time. */
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
  const aggregation = aggregations.find((name) => name === chosen('aggregation'));
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
      {metric !== undefined && aggregation !== undefined && view.range ? (
        <Aggregates of={of} asked={{ taskId, metric, aggregation, range: view.range }} isLive={live.isOn} />
      ) : (
        <EmptyState
          illustration="sieve"
          title={t('metricFilter.choose')}
          text={t('metricFilter.chooseText')}
        />
      )}
    </>
  );
}

interface AggregatesProps {
  of: FlowOfMetrics;
  asked: Parameters<typeof aggregatesQuery>[1];
  isLive: boolean;
}

function Aggregates({ of, asked, isLive }: AggregatesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...aggregatesQuery(of, asked),
    refetchInterval: isLive && refreshMs,
  });
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.aggregations.every(({ value }) => value === 0))
    return (
      <EmptyState
        illustration="stillWater"
        title={t('metricFilter.empty')}
        text={t('metricFilter.emptyText')}
      />
    );
  return (
    <Card title={`${asked.metric} · ${t(`metricFilter.${asked.aggregation}`)}`}>
      <MetricChart metric={asked.metric} data={data} />
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
