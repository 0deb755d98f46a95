import { useTranslation } from 'react-i18next';
import { SkeletonBars } from '../../../ui/charts/SkeletonBars.tsx';
import { Skeleton, SkeletonList } from '../../../ui/Skeleton.tsx';
import type { ChartShape } from '../charts/chartShape.ts';
import styles from './dashboard.module.css';

/** The place of a chart, as large as the chart will be. */
export function ChartSkeleton({ shape }: { shape: ChartShape }) {
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
