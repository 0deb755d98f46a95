import { VisuallyHidden } from '@mantine/core';
import type { Calendar } from '@millrace/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import counted from './counts.module.css';
import { startOfDay, writeDay } from './dates.ts';
import { CountBar, countsInWords, LoadRows, totalOf } from './LoadRows.tsx';
import lanes from './lanes.module.css';
import styles from './month.module.css';

interface MonthGridProps {
  readonly calendar: Calendar;
  readonly days: readonly string[];
  /** `2026-03`; the other days belong to its first and last week. */
  readonly month: string;
  readonly today: string;
  onDay(day: string): void;
}

/** The weeks of a month. A day tells how many executions ran and are planned, and opens. */
export function MonthGrid({ calendar, days, month, today, onDay }: MonthGridProps) {
  const { t, i18n } = useTranslation();
  const buckets = new Map(calendar.buckets.map((bucket) => [bucket.at, bucket]));
  const dayOf = new Map(days.map((day) => [startOfDay(day, calendar.timeZone), day]));
  const longDay = (day: string) =>
    writeDay(day, i18n.language, { weekday: 'long', day: 'numeric', month: 'long' });
  return (
    <>
      <div className={lanes.lanes} data-view="month">
        <LoadRows calendar={calendar} nameOf={({ at }) => longDay(dayOf.get(at) ?? at.slice(0, 10))} />
      </div>
      <div className={styles.month}>
        {days.slice(0, 7).map((day) => (
          <span key={day} className={styles.weekday} aria-hidden="true">
            {writeDay(day, i18n.language, { weekday: 'short' })}
          </span>
        ))}
        {days.map((day) => {
          const bucket = buckets.get(startOfDay(day, calendar.timeZone));
          const { counts = {}, planned = 0, conflicts = 0, load } = bucket ?? {};
          const total = totalOf(counts);
          const words = [
            ...(total > 0 ? [countsInWords(counts, t)] : []),
            ...(planned > 0 ? [t('calendar.planned', { count: planned })] : []),
            ...(conflicts > 0 ? [t('calendar.conflictCount', { count: conflicts })] : []),
          ];
          return (
            <button
              key={day}
              type="button"
              className={styles.monthDay}
              data-today={day === today || undefined}
              data-other={!day.startsWith(month) || undefined}
              onClick={() => onDay(day)}
            >
              <VisuallyHidden>{`${longDay(day)}: ${words.join(', ') || t('calendar.nothing')}`}</VisuallyHidden>
              <span className={styles.number} aria-hidden="true">
                {Number(day.slice(8))}
              </span>
              {total > 0 && (
                <span className={counted.past} aria-hidden="true">
                  <span>{formatNumber(total)}</span>
                  <CountBar counts={counts} />
                </span>
              )}
              {planned > 0 && (
                <span
                  className={counted.future}
                  data-conflict={conflicts > 0 || undefined}
                  aria-hidden="true"
                >
                  {conflicts > 0 && <IconAlertTriangle size={12} aria-hidden="true" />}
                  {formatNumber(planned)}
                  <span className={counted.wide}>{t('calendar.plannedShort')}</span>
                </span>
              )}
              {load && load.peak > 1 && (
                <small className={counted.wide} aria-hidden="true">
                  {t('calendar.peak', { number: formatNumber(load.peak, { maximumFractionDigits: 0 }) })}
                </small>
              )}
            </button>
          );
        })}
      </div>
    </>
  );
}
