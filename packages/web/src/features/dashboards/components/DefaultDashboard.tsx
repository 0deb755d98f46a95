import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { StackedBars } from '../../../ui/charts/StackedBars.tsx';
import {
  ListFilters,
  RefreshButtons,
  type UsualRange,
  useAutoRefresh,
  useListView,
  usualRanges,
} from '../../../ui/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import {
  dailyExecutionsQuery,
  dailyLogsQuery,
  executionBuckets,
  ListChart,
  levelSeries,
  logBuckets,
  rangeOf,
  stateSeries,
} from '../../stats/index.ts';
import { totalsOf } from '../ratios.ts';
import { ByNamespace } from './ByNamespace.tsx';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';
import { Figures } from './Figures.tsx';
import { FiresNext } from './FiresNext.tsx';
import { LastFailures } from './LastFailures.tsx';
import { RunningNow } from './RunningNow.tsx';

const defaultRange = 'P30D';
const refreshMs = 10_000;
/** Four whole weeks compare better than a month. */
const ranges: UsualRange[] = usualRanges.flatMap((range): UsualRange[] =>
  range === 'P30D' ? ['P28D', range] : [range],
);

/** What failed, what runs and what comes next: of everything, or of one namespace. */
export function DefaultDashboard({ namespace }: { namespace?: string }) {
  const { t, i18n } = useTranslation();
  const fields = useFilterFields('execution', {
    prominent: namespace ? ['state'] : ['namespace', 'state'],
    without: [
      'flowId',
      'labels',
      'childFilter',
      'triggerExecutionId',
      ...(namespace ? (['namespace'] as const) : []),
    ],
  });
  const view = useListView({
    fields,
    defaultSort: 'state.startDate:desc',
    defaultRange,
    ...(namespace && { fixed: { namespace } }),
  });
  const auto = useAutoRefresh();
  const { filters, range = { kind: 'relative', duration: defaultRange } } = view;
  const refetchInterval = auto.on && range.kind === 'relative' && refreshMs;
  const days = useQuery({ ...dailyExecutionsQuery(filters, range), refetchInterval });
  const logDays = useQuery({ ...dailyLogsQuery(filters, range), refetchInterval });
  const client = useQueryClient();
  const within = typeof filters.namespace === 'string' ? filters.namespace : undefined;
  const { timeRange, startDate, endDate } = view.criteria as Record<string, string | undefined>; // Written by the page's own address.
  const when = { namespace: within, timeRange: timeRange ?? defaultRange, startDate, endDate };
  return (
    <>
      <ListFilters
        name="dashboard"
        view={view}
        ranges={ranges}
        tools={
          <RefreshButtons auto={auto} onRefresh={() => void client.refetchQueries({ type: 'active' })} />
        }
      />
      <Figures counts={days.data && totalsOf(days.data)} isBroken={days.isError} when={when} />
      <div className={styles.grid}>
        <Card title={t('dashboard.perDay')}>
          <ListChart query={days} isFramed={false}>
            <StackedBars
              label={t('chart.executions')}
              buckets={days.data && executionBuckets(days.data, i18n.language)}
              series={stateSeries(t)}
              onChoose={(bucket) => view.setRange(rangeOf(bucket))}
              size="lg"
            />
          </ListChart>
        </Card>
        <div className={styles.half}>
          <LastFailures when={when} refetchInterval={refetchInterval} />
          <ByNamespace filters={filters} range={range} when={when} />
        </div>
        <div className={styles.half}>
          <RunningNow namespace={within} refetchInterval={auto.on && 2_000} />
          <FiresNext namespace={within} refetchInterval={refetchInterval} />
        </div>
        <Card title={t('dashboard.logsPerDay')}>
          <ListChart query={logDays} isFramed={false}>
            <StackedBars
              label={t('chart.logs')}
              buckets={logDays.data && logBuckets(logDays.data, i18n.language)}
              series={levelSeries(t)}
              onChoose={(bucket) => view.setRange(rangeOf(bucket))}
              size="lg"
            />
          </ListChart>
        </Card>
      </div>
    </>
  );
}
