import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StackedBars } from '../../ui/charts/StackedBars.tsx';
import { Hint } from '../../ui/Hint.tsx';
import {
  type DateRange,
  ListFilters,
  type RangePreset,
  RefreshButtons,
  rangePresets,
  useAutoRefresh,
  useListView,
} from '../../ui/index.ts';
import { useFilterFields } from '../listing/index.ts';
import {
  dailyExecutionsQuery,
  dailyLogsQuery,
  executionBuckets,
  executionsByNamespaceQuery,
  ListChart,
  levelSeries,
  logBuckets,
  rangeOf,
  stateSeries,
} from '../stats/index.ts';
import { Card } from './cards/Card.tsx';
import styles from './cards/dashboard.module.css';
import { Figures, totalsOf, type When } from './cards/Figures.tsx';
import { LastFailures, ListCard, NextRuns, RunningNow } from './cards/ListCard.tsx';

const defaultRange = 'P30D';
const refreshMs = 10_000;
/** Four whole weeks compare better than a month. */
const ranges: RangePreset[] = rangePresets.flatMap((range): RangePreset[] =>
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
  const days = useQuery({ ...dailyExecutionsQuery(filters, range, !view.isRangeChosen), refetchInterval });
  const logDays = useQuery({ ...dailyLogsQuery(filters, range, !view.isRangeChosen), refetchInterval });
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
          <NextRuns namespace={within} refetchInterval={refetchInterval} />
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

const shown = 5;

interface ByNamespaceProps {
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
  when: When;
}

/** The namespaces in which most ran, each with how it ended. */
function ByNamespace({ filters, range, when }: ByNamespaceProps) {
  const { t } = useTranslation();
  const query = useQuery(executionsByNamespaceQuery(filters, range));
  const series = stateSeries(t);
  const sorted = Object.entries(query.data ?? {})
    .filter(([, { total }]) => total > 0)
    .toSorted(([, a], [, b]) => b.total - a.total)
    .slice(0, shown);
  const most = Math.max(1, ...sorted.map(([, { total }]) => total));
  return (
    <ListCard
      title={t('dashboard.byNamespace')}
      query={query}
      isEmpty={sorted.length === 0}
      empty={t('dashboard.nothingRan')}
      rows={shown}
      rowHeight={36}
    >
      <div>
        {sorted.map(([namespace, { counts, total }]) => {
          const parts = series.filter(({ key }) => (counts[key] ?? 0) > 0);
          return (
            <div key={namespace} className={styles.share}>
              <Link to="/{-$tenant}/executions" search={{ ...when, namespace }} title={namespace}>
                {namespace}
              </Link>
              <Hint label={parts.map(({ key, label }) => `${label} ${counts[key]}`).join(', ')}>
                <span className={styles.track} style={{ width: `${(total / most) * 100}%` }}>
                  {parts.map(({ key, colour }) => (
                    <span key={key} style={{ flex: counts[key], background: colour }} />
                  ))}
                </span>
              </Hint>
              <span className={styles.total}>{formatNumber(total)}</span>
            </div>
          );
        })}
      </div>
    </ListCard>
  );
}
