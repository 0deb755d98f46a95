import '@mantine/dates/styles.layer.css';
import { Button } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { instantToLocal, localToInstant, shownTimeZone } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { calendarPeriods, rangeOfPeriod } from './calendarPeriods.ts';
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
