import { type Chart, type StateType, stateTypes } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { ApiError } from '../../../api/ApiError.ts';
import { formatDuration } from '../../../format/duration.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CardError } from '../../../ui/Card.tsx';
import { SkeletonBars } from '../../../ui/charts/StackedBars.tsx';
import { DateTime, ErrorBoundary, Pager, StatePill } from '../../../ui/index.ts';
import { Skeleton, SkeletonList } from '../../../ui/Loading.tsx';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import { type ChartColumn, type ChartShape, chartShape, numberOf, wordOf } from '../charts/chartShape.ts';
import { type ChartPage, type ChartWindow, chartQuery, previewQuery } from '../queries.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

const Plot = lazyPart(() => import('../charts/Plot.tsx'), 'Plot');

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
        <CardError message={problem} onRetry={error && !isRefused ? () => void refetch() : undefined} />
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

interface TableChartProps {
  shape: ChartShape;
  page: ChartPage;
  number: number;
  size: number;
  onPage: (number: number) => void;
  onSize: (size: number) => void;
}

function TableChart({ shape, page, number, size, onPage, onSize }: TableChartProps) {
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={shape.title}>
          {shape.hasHeader && (
            <thead>
              <tr>
                {shape.columns.map(({ name, label, alignment }) => (
                  <th key={name} style={{ textAlign: alignment }}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {page.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a chart have no identity besides their place.
              <tr key={index}>
                {shape.columns.map((column) => (
                  <td key={column.name} style={{ textAlign: column.alignment }}>
                    {cell(column, row[column.name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shape.hasPages && page.total > page.rows.length && (
        <Pager page={number} size={size} total={page.total} onPage={onPage} onSize={onSize} />
      )}
    </>
  );
}

/** A value as its field is shown everywhere else. */
function cell({ field, isAggregated }: ChartColumn, value: unknown): ReactNode {
  if (value === null || value === undefined) return '';
  if (field === 'DURATION') return formatDuration(numberOf(value) * 1_000);
  if (isAggregated) return formatNumber(numberOf(value));
  const word = wordOf(value);
  if (field === 'STATE' && isState(word)) return <StatePill state={word} still />;
  if (field === 'NAMESPACE') {
    return (
      <Link to="/{-$tenant}/executions" search={{ namespace: word }}>
        {word}
      </Link>
    );
  }
  if (field?.endsWith('DATE') && !Number.isNaN(Date.parse(word))) return <DateTime value={word} />;
  return word;
}

const isState = (word: string): word is StateType => stateTypes.some((state) => state === word);

/** The place of a chart, as large as the chart will be. */
function ChartSkeleton({ shape }: { shape: ChartShape }) {
  const { t } = useTranslation();
  switch (shape.kind) {
    case 'TimeSeries':
    case 'Bar':
    case 'Pie':
      return (
        <div role="status" aria-label={t('loading')}>
          <ul className={styles.plotSkeleton}>
            {shape.kind === 'Pie' ? (
              <li>
                <Skeleton width={190} height={190} borderRadius="50%" />
              </li>
            ) : (
              <SkeletonBars />
            )}
          </ul>
          {shape.hasLegend && <Skeleton width="40%" marginBlock="12px 7px" />}
        </div>
      );
    case 'KPI':
      return <Skeleton width="60%" height={32} marginBlock={12} />;
    case 'Table':
      return <SkeletonList rows={shape.hasPages ? 10 : 5} rowHeight={33} />;
    default:
      return null;
  }
}
