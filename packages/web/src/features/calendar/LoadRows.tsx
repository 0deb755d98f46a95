import { type Calendar, type CalendarBucket, type StateType, stateTypes } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import countsStyles from './counts.module.css';
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

type Counts = Readonly<Partial<Record<StateType, number>>>;

export const totalOf = (counts: Counts | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0);

const statesOf = (counts: Counts): [StateType, number][] =>
  stateTypes.flatMap((state): [StateType, number][] => {
    const count = counts[state] ?? 0;
    return count > 0 ? [[state, count]] : [];
  });

/** `12 executions: Success 10, Failed 2`. */
export const countsInWords = (counts: Counts, t: TFunction): string =>
  t('calendar.ran', {
    count: totalOf(counts),
    states: statesOf(counts)
      .map(([state, count]) => `${t(`state.${state}`)} ${formatNumber(count)}`)
      .join(', '),
  });

/** The share of each state, as colours. The words are those of the element around it. */
export function CountBar({ counts, isVertical = false }: { counts: Counts; isVertical?: boolean }) {
  return (
    <span className={countsStyles.shares} data-vertical={isVertical || undefined} aria-hidden="true">
      {statesOf(counts).map(([state, count]) => (
        <i
          key={state}
          style={{ flexGrow: count, background: `var(--mr-state-${state.toLowerCase()}-solid)` }}
        />
      ))}
    </span>
  );
}
