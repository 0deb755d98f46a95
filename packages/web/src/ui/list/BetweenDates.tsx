import '@mantine/dates/styles.layer.css';
import { Button } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { instantToLocal, localToInstant, shownTimeZone, wallClockOf } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { DateRange } from './dateRange.ts';
import styles from './ListFilters.module.css';

interface BetweenDatesProps {
  range: DateRange;
  onChange: (range: DateRange) => void;
}

/** A day, week, month or year of the calendar, or two dates, of which one may stay open. */
export function BetweenDates({ range, onChange }: BetweenDatesProps) {
  const { t } = useTranslation();
  const given = range.kind === 'absolute' ? range : undefined;
  const [start, setStart] = useState(() => (given?.start ? instantToLocal(given.start) : null));
  const [end, setEnd] = useState(() => (given?.end ? instantToLocal(given.end) : null));
  const isReversed = start !== null && end !== null && start > end;
  return (
    <div className={styles.between}>
      <div className={styles.periods}>
        {calendarPeriods.map((period) => (
          <button
            key={period}
            type="button"
            className={styles.preset}
            onClick={() => onChange(rangeOfPeriod(period, Date.now(), shownTimeZone()))}
          >
            {t(`period.${period}`)}
          </button>
        ))}
      </div>
      <DateTimePicker
        label={t('filter.from')}
        value={start}
        onChange={setStart}
        clearable
        withSeconds
        popoverProps={{ withinPortal: false }}
      />
      <DateTimePicker
        label={t('filter.to')}
        value={end}
        onChange={setEnd}
        clearable
        withSeconds
        popoverProps={{ withinPortal: false }}
        error={isReversed && t('filter.reversed')}
      />
      <Button
        disabled={(start === null && end === null) || isReversed}
        onClick={() =>
          onChange({
            kind: 'absolute',
            ...(start !== null && { start: localToInstant(start) }),
            ...(end !== null && { end: localToInstant(end) }),
          })
        }
      >
        {t('filter.apply')}
      </Button>
    </div>
  );
}

/** Stretches of the calendar that people ask for, in the order they are offered. */
const calendarPeriods = [
  'today',
  'yesterday',
  'dayBefore',
  'thisWeek',
  'previousWeek',
  'thisMonth',
  'previousMonth',
  'thisYear',
  'previousYear',
] as const;
export type CalendarPeriod = (typeof calendarPeriods)[number];

/** From the first to the last second of a period, on the calendar of the zone. Weeks begin on Monday. */
export function rangeOfPeriod(period: CalendarPeriod, nowMs: number, timeZone: string): DateRange {
  const [year = 0, month = 1, date = 1] = wallClockOf(nowMs, timeZone).slice(0, 10).split('-').map(Number);
  const day = (offset: number) => Date.UTC(year, month - 1, date + offset);
  const week = (offset: number) => day(7 * offset - ((new Date(day(0)).getUTCDay() + 6) % 7));
  const monthStart = (offset: number) => Date.UTC(year, month - 1 + offset, 1);
  const yearStart = (offset: number) => Date.UTC(year + offset, 0, 1);
  const bounds: Record<CalendarPeriod, readonly [number, number]> = {
    today: [day(0), day(1)],
    yesterday: [day(-1), day(0)],
    dayBefore: [day(-2), day(-1)],
    thisWeek: [week(0), week(1)],
    previousWeek: [week(-1), week(0)],
    thisMonth: [monthStart(0), monthStart(1)],
    previousMonth: [monthStart(-1), monthStart(0)],
    thisYear: [yearStart(0), yearStart(1)],
    previousYear: [yearStart(-1), yearStart(0)],
  };
  const [start, next] = bounds[period];
  const instant = (wallMs: number) => localToInstant(new Date(wallMs).toISOString().slice(0, 19), timeZone);
  return { kind: 'absolute', start: instant(start), end: instant(next - 1000) };
}
