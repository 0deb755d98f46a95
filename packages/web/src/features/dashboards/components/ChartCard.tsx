import type { Chart } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/ApiError.ts';
import { formatNumber } from '../../../format/number.ts';
import { CardProblem } from '../../../ui/CardProblem.tsx';
import { ErrorBoundary } from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import { chartShape, numberOf } from '../charts/chartShape.ts';
import { TableChart } from '../charts/TableChart.tsx';
import { type ChartWindow, chartQuery, previewQuery } from '../queries.ts';
import { Card } from './Card.tsx';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import styles from './dashboard.module.css';

const Plot = lazy(() => import('../charts/Plot.tsx').then((module) => ({ default: module.Plot })));

interface ChartCardProps {
  chart: Chart;
  /** Where the rows come from: a saved dashboard, or the source of the chart itself. */
  from: { dashboard: string } | { source: string };
  /** Names the window, so that another one is another question. */
  windowKey: unknown;
  window: () => ChartWindow;
  refetchInterval?: number | false;
}

const refused = [401, 403];

export function ChartCard({ chart, from, windowKey, window, refetchInterval = false }: ChartCardProps) {
  const { t } = useTranslation();
  const shape = useMemo(() => chartShape(chart), [chart]);
  const [number, setNumber] = useState(1);
  const [size, setSize] = useState(10);
  const isTable = shape.kind === 'Table';
  const paging = isTable && shape.hasPages ? { pageNumber: number, pageSize: size } : {};
  const key = [windowKey, paging];
  const body = () => ({ ...window(), ...paging });
  const { data, error, refetch } = useQuery({
    ...('dashboard' in from
      ? chartQuery(from.dashboard, chart.id, key, body)
      : previewQuery(from.source, key, body)),
    enabled: shape.kind === 'Markdown' ? shape.isFlowDescription : shape.kind !== undefined,
    refetchInterval,
  });
  const isRefused = error instanceof ApiError && refused.includes(error.status);
  const problem =
    shape.kind === undefined
      ? t('dashboard.unknownChart', { type: chart.type })
      : isRefused
        ? t('dashboard.noPermission')
        : error?.message;
  return (
    <Card title={shape.title} description={shape.description} columns={shape.width}>
      {shape.kind === 'Markdown' && (
        <Markdown
          text={shape.isFlowDescription ? String(data?.rows[0]?.description ?? '') : shape.markdown}
        />
      )}
      {problem && (
        <CardProblem message={problem} onRetry={error && !isRefused ? () => void refetch() : undefined} />
      )}
      {!problem && !data && <ChartSkeleton shape={shape} />}
      {!problem && data && data.rows.length === 0 && <p className={styles.empty}>{t('dashboard.noData')}</p>}
      {!problem && data && data.rows.length > 0 && (
        <ErrorBoundary>
          {isTable && (
            <TableChart
              shape={shape}
              page={data}
              number={number}
              size={size}
              onPage={setNumber}
              onSize={setSize}
            />
          )}
          {shape.kind === 'KPI' && (
            <Kpi value={Object.values(data.rows[0] ?? {})[0]} isPercentage={shape.isPercentage} />
          )}
          {(shape.kind === 'TimeSeries' || shape.kind === 'Bar' || shape.kind === 'Pie') && (
            <Suspense fallback={<ChartSkeleton shape={shape} />}>
              <Plot shape={shape} page={data} />
            </Suspense>
          )}
        </ErrorBoundary>
      )}
    </Card>
  );
}

const Kpi = ({ value, isPercentage }: { value: unknown; isPercentage: boolean }) => (
  <strong className={styles.kpi}>
    {formatNumber(numberOf(value), { maximumFractionDigits: 2 })}
    {isPercentage && ' %'}
  </strong>
);
