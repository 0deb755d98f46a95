import { Popover } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { lazyPart } from '../lazyPart.tsx';
import { type DateRange, type RangePreset, rangePresets } from './dateRange.ts';
import { RangeButton } from './FilterChip.tsx';
import styles from './ListFilters.module.css';

// The calendar is large, and most ranges are relative.
const BetweenDates = lazyPart(() => import('./BetweenDates.tsx'), 'BetweenDates');

export interface RangeFilterProps {
  range: DateRange;
  ranges?: readonly RangePreset[];
  onChange: (range: DateRange) => void;
}

/** How far back a list looks: one of the usual ranges, or between two dates. */
export function RangeFilter({ range, ranges = rangePresets, onChange }: RangeFilterProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const choose = (next: DateRange) => {
    onChange(next);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <RangeButton range={range} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filter.timeRange')}>
        <div className={styles.range}>
          <div className={styles.presets}>
            {ranges.map((duration) => (
              <button
                key={duration}
                type="button"
                className={styles.preset}
                aria-pressed={range.kind === 'relative' && range.duration === duration}
                onClick={() => choose({ kind: 'relative', duration })}
              >
                {t(`range.${duration}`)}
              </button>
            ))}
          </div>
          <Suspense fallback={<div className={styles.between} />}>
            <BetweenDates range={range} onChange={choose} />
          </Suspense>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
