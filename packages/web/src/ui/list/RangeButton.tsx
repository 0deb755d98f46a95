import { VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { formatDateTime } from '../../format/date.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type DateRange, rangePresets } from './dateRange.ts';
import styles from './ListFilters.module.css';

/** A range in words. */
export function RangeButton({ range, ...button }: ComponentPropsWithRef<'button'> & { range: DateRange }) {
  const { t, i18n } = useTranslation();
  const show = (date: string | undefined) => (date ? formatDateTime(date, i18n.language) : '…');
  const known = [...rangePresets, 'P28D' as const].find(
    (duration) => range.kind === 'relative' && range.duration === duration,
  );
  return (
    <span className={styles.chip} data-set>
      <button {...button} type="button" className={styles.face}>
        <IconClock size={15} stroke={1.7} aria-hidden="true" />
        <VisuallyHidden>{t('filter.timeRange')}:</VisuallyHidden>{' '}
        <span className={styles.values}>
          {range.kind === 'absolute'
            ? `${show(range.start)} – ${show(range.end)}`
            : known
              ? t(`range.${known}`)
              : range.duration}
        </span>
      </button>
    </span>
  );
}
