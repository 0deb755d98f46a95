import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { StackedBars } from '../../ui/charts/StackedBars.tsx';
import type { DateRange } from '../../ui/index.ts';
import { executionBuckets, rangeOf, stateSeries } from './buckets.ts';
import { ListChart } from './ListChart.tsx';
import { dailyExecutionsQuery, dailyTaskRunsQuery } from './queries.ts';

interface ExecutionsChartProps {
  of: 'executions' | 'taskRuns';
  filters: Readonly<Record<string, unknown>>;
  range: DateRange;
  onRange: (range: DateRange) => void;
  refetchInterval?: number | false;
  /** False where the chart is inside a card already. */
  isFramed?: boolean;
}

/** How many ended how, over the time that the list shows. A bar narrows the list to its time. */
export function ExecutionsChart({
  of,
  filters,
  range,
  onRange,
  refetchInterval = false,
  isFramed = true,
}: ExecutionsChartProps) {
  const { t, i18n } = useTranslation();
  const query = useQuery({
    ...(of === 'executions' ? dailyExecutionsQuery(filters, range) : dailyTaskRunsQuery(filters, range)),
    refetchInterval,
  });
  return (
    <ListChart query={query} isFramed={isFramed}>
      <StackedBars
        label={t(of === 'executions' ? 'chart.executions' : 'chart.taskRuns')}
        buckets={query.data && executionBuckets(query.data, i18n.language)}
        series={stateSeries(t)}
        onChoose={(bucket) => onRange(rangeOf(bucket))}
      />
    </ListChart>
  );
}
