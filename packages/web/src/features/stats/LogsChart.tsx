import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { StackedBars } from '../../ui/charts/StackedBars.tsx';
import type { DateRange } from '../../ui/index.ts';
import { levelSeries, logBuckets, rangeOf } from './buckets.ts';
import { ListChart } from './ListChart.tsx';
import { dailyLogsQuery } from './queries.ts';

interface LogsChartProps {
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
  onRange: (range: DateRange) => void;
  /** How often it looks again by itself. */
  refetchInterval?: number | false;
}

/** How many entries of each level, over the time that the list shows. */
export function LogsChart({ filters, range, onRange, refetchInterval = false }: LogsChartProps) {
  const { t, i18n } = useTranslation();
  const query = useQuery({ ...dailyLogsQuery(filters, range), refetchInterval });
  return (
    <ListChart query={query}>
      <StackedBars
        label={t('chart.logs')}
        buckets={query.data && logBuckets(query.data, i18n.language)}
        series={levelSeries(t)}
        onChoose={(bucket) => onRange(rangeOf(bucket))}
      />
    </ListChart>
  );
}
