import type { Calendar, CalendarBucket } from '@millrace/contract';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { CountBar, countsInWords, totalOf } from './CountBar.tsx';
import styles from './lanes.module.css';

interface LoadRowsProps {
  readonly calendar: Calendar;
  /** The stretch of time of a bucket in words. */
  nameOf(bucket: CalendarBucket): string;
}

/** Two rows of bars: the executions that started and that are planned, and how many are expected to run at a time. */
export function LoadRows({ calendar: { buckets }, nameOf }: LoadRowsProps) {
  const { t } = useTranslation();
  const most = Math.max(1, ...buckets.map(({ counts, planned }) => totalOf(counts) + planned));
  const peak = Math.max(1, ...buckets.map(({ load }) => load?.peak ?? 0));
  const hasForecast = buckets.some(({ load }) => load !== undefined);
  const percent = (value: number, of: number) => `${Math.min(100, (value / of) * 100)}%`;
  return (
    <>
      <div className={styles.lane} data-chart>
        <div className={styles.name}>
          <span>{t('calendar.started')}</span>
          <small>{t('calendar.atMost', { number: formatNumber(most) })}</small>
        </div>
        <ul className={styles.bars} aria-label={t('calendar.started')}>
          {buckets.map((bucket) => {
            const total = totalOf(bucket.counts);
            const words = [
              ...(total > 0 ? [countsInWords(bucket.counts, t)] : []),
              ...(bucket.planned > 0 ? [t('calendar.planned', { count: bucket.planned })] : []),
              ...(bucket.conflicts > 0 ? [t('calendar.conflictCount', { count: bucket.conflicts })] : []),
            ];
            const label = `${nameOf(bucket)}: ${words.join(' · ') || t('calendar.nothing')}`;
            return (
              <li key={bucket.at}>
                <Hint label={label} multiline maw={280}>
                  <span className={styles.bar} role="img" aria-label={label}>
                    {bucket.planned > 0 && (
                      <i
                        className={styles.planned}
                        data-conflict={bucket.conflicts > 0 || undefined}
                        style={{ height: percent(bucket.planned, most) }}
                      />
                    )}
                    {total > 0 && (
                      <i className={styles.ran} style={{ height: percent(total, most) }}>
                        <CountBar counts={bucket.counts} isVertical />
                      </i>
                    )}
                  </span>
                </Hint>
              </li>
            );
          })}
        </ul>
      </div>
      {hasForecast && (
        <div className={styles.lane} data-chart="small">
          <div className={styles.name}>
            <span>{t('calendar.load')}</span>
            <small>{t('calendar.atMost', { number: formatLoad(peak) })}</small>
          </div>
          <ul className={styles.bars} aria-label={t('calendar.load')}>
            {buckets.map((bucket) => {
              const { load } = bucket;
              if (!load) return <li key={bucket.at} aria-hidden="true" />;
              const label = `${nameOf(bucket)}: ${t('calendar.loadOf', {
                average: formatLoad(load.average),
                peak: formatLoad(load.peak),
              })}`;
              return (
                <li key={bucket.at}>
                  <Hint label={label} multiline maw={280}>
                    <span className={styles.bar} role="img" aria-label={label}>
                      <i className={styles.peak} style={{ height: percent(load.peak, peak) }} />
                      <i className={styles.average} style={{ height: percent(load.average, peak) }} />
                    </span>
                  </Hint>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </>
  );
}

const formatLoad = (value: number): string =>
  formatNumber(value, { maximumFractionDigits: value < 10 ? 1 : 0 });
