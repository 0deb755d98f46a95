import '@mantine/dates/styles.layer.css';
import { Button } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DateRange } from './dateRange.ts';
import styles from './ListFilters.module.css';

interface BetweenDatesProps {
  range: DateRange;
  onChange: (range: DateRange) => void;
}

/** Two dates, of which one may stay open. */
export function BetweenDates({ range, onChange }: BetweenDatesProps) {
  const { t } = useTranslation();
  const given = range.kind === 'absolute' ? range : undefined;
  const [start, setStart] = useState(() => toLocal(given?.start));
  const [end, setEnd] = useState(() => toLocal(given?.end));
  const isReversed = start !== null && end !== null && start > end;
  return (
    <div className={styles.between}>
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
            ...(start !== null && { start: toInstant(start) }),
            ...(end !== null && { end: toInstant(end) }),
          })
        }
      >
        {t('filter.apply')}
      </Button>
    </div>
  );
}

/** The picker speaks of the wall clock, `2026-03-01 02:00:00`; calls and addresses of moments. */
const toInstant = (local: string): string => new Date(local.replace(' ', 'T')).toISOString();

function toLocal(iso: string | undefined): string | null {
  if (iso === undefined) return null;
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
