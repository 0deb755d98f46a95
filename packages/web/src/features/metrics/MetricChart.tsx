import type { MetricAggregations } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { StackedBars } from '../../ui/charts/StackedBars.tsx';
import { bucketName } from '../stats/index.ts';

interface MetricChartProps {
  metric: string;
  data: MetricAggregations;
}

/** A bar for each stretch of time, as high as the number. */
export function MetricChart({ metric, data }: MetricChartProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 3 });
  return (
    <StackedBars
      label={t('metricFilter.chart', { metric })}
      buckets={data.aggregations.map(({ date, value }) => ({
        key: date,
        label: bucketName(date, data.groupBy, i18n.language),
        counts: { [metric]: value },
      }))}
      series={[{ key: metric, label: metric, colour: 'var(--mr-brand)' }]}
      format={(value) => format.format(value)}
      hasLegend={false}
      size="lg"
    />
  );
}
