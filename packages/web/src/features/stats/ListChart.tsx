import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { CardError } from '../../ui/Card.tsx';
import { type Bucket, StackedBars } from '../../ui/charts/StackedBars.tsx';
import type { DateRange } from '../../ui/index.ts';
import { executionBuckets, hasNoCounts, levelSeries, logBuckets, rangeOf, stateSeries } from './buckets.ts';
import styles from './ListChart.module.css';
import { dailyExecutionsQuery, dailyLogsQuery, dailyTaskRunsQuery } from './queries.ts';

interface ListChartProps {
  /** What the bars come from: without an answer, a failure stands in their place. */
  query: { data: unknown; error: Error | null; refetch: () => unknown };
  /** False where the chart is inside a card already. */
  isFramed?: boolean;
  /** Stands in place of a chart that has nothing to show. */
  empty?: string | undefined;
  children: ReactNode;
}

/** The frame of a chart above a list. */
export function ListChart({
  query: { data, error, refetch },
  isFramed = true,
  empty,
  children,
}: ListChartProps) {
  if (empty !== undefined && !error) return <p className={styles.empty}>{empty}</p>;
  const content = (
    <>
      {(!error || data !== undefined) && children}
      {error && <CardError message={error.message} onRetry={() => void refetch()} />}
    </>
  );
  return isFramed ? <div className={styles.card}>{content}</div> : content;
}

interface ExecutionsChartProps {
  of: 'executions' | 'taskRuns';
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
  onRange: (range: DateRange) => void;
  refetchInterval?: number | false;
  /** False where the chart is inside a card already. */
  isFramed?: boolean;
  /** Leaves out the time before the first bar: for a range that the user did not choose. */
  beginsWithData?: boolean;
}

/** How many ended how, over the time that the list shows. A bar narrows the list to its time. */
export function ExecutionsChart({
  of,
  filters,
  range,
  onRange,
  refetchInterval = false,
  isFramed = true,
  beginsWithData = false,
}: ExecutionsChartProps) {
  const { t, i18n } = useTranslation();
  const query = useQuery({
    ...(of === 'executions'
      ? dailyExecutionsQuery(filters, range, beginsWithData)
      : dailyTaskRunsQuery(filters, range, beginsWithData)),
    refetchInterval,
  });
  const all = query.data && executionBuckets(query.data, i18n.language);
  const buckets = beginsWithData ? all && fromFirst(all) : all;
  return (
    <ListChart
      query={query}
      isFramed={isFramed}
      empty={isEmpty(buckets) ? t('dashboard.nothingRan') : undefined}
    >
      <StackedBars
        label={t(of === 'executions' ? 'chart.executions' : 'chart.taskRuns')}
        buckets={buckets}
        series={stateSeries(t)}
        onChoose={(bucket) => onRange(rangeOf(bucket))}
      />
    </ListChart>
  );
}

interface LogsChartProps {
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
  onRange: (range: DateRange) => void;
  /** How often it looks again by itself. */
  refetchInterval?: number | false;
  /** Leaves out the time before the first bar: for a range that the user did not choose. */
  beginsWithData?: boolean;
}

/** How many entries of each level, over the time that the list shows. */
export function LogsChart({
  filters,
  range,
  onRange,
  refetchInterval = false,
  beginsWithData = false,
}: LogsChartProps) {
  const { t, i18n } = useTranslation();
  const query = useQuery({ ...dailyLogsQuery(filters, range, beginsWithData), refetchInterval });
  const all = query.data && logBuckets(query.data, i18n.language);
  const buckets = beginsWithData ? all && fromFirst(all) : all;
  return (
    <ListChart query={query} empty={isEmpty(buckets) ? t('dashboard.noData') : undefined}>
      <StackedBars
        label={t('chart.logs')}
        buckets={buckets}
        series={levelSeries(t)}
        onChoose={(bucket) => onRange(rangeOf(bucket))}
      />
    </ListChart>
  );
}

const isEmpty = (buckets: readonly Bucket[] | undefined): boolean => buckets?.every(hasNothing) === true;

const hasNothing = ({ counts }: Bucket): boolean => hasNoCounts(counts);

const fewestBuckets = 7;

const fromFirst = (buckets: readonly Bucket[]): readonly Bucket[] => {
  const first = buckets.findIndex((bucket) => !hasNothing(bucket));
  return first < 0 ? buckets : buckets.slice(Math.max(0, Math.min(first, buckets.length - fewestBuckets)));
};
