import { CloseButton, VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { formatDateTime } from '../../format/date.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Condition, type FilterField, operationName } from './condition.ts';
import { type DateRange, rangePresets } from './dateRange.ts';
import styles from './ListFilters.module.css';

interface FilterChipProps extends ComponentPropsWithRef<'button'> {
  field: FilterField;
  /** Without one the chip only names its field. */
  condition: Condition | undefined;
  onRemove?: () => void;
}

/** One condition in words: field, operation and values. Pressed, it can be changed. */
export function FilterChip({ field, condition, onRemove, ...button }: FilterChipProps) {
  const { t } = useTranslation();
  const values = condition?.values.map((value) => labelOf(field, value));
  return (
    <span className={styles.chip} data-set={condition ? true : undefined}>
      <button {...button} type="button" className={styles.face}>
        <span className={styles.field}>{field.label}</span>
        {condition && values && (
          <>
            {' '}
            <span className={styles.operation}>{operationName(t, condition.operation)}</span>{' '}
            <span className={styles.values}>
              {values.slice(0, 2).join(', ')}
              {values.length > 2 && ` +${values.length - 2}`}
            </span>
          </>
        )}
      </button>
      {condition && onRemove && !field.isAlwaysSet && (
        <CloseButton
          size="xs"
          className={styles.remove}
          onClick={onRemove}
          aria-label={t('filter.remove', { field: field.label })}
        />
      )}
    </span>
  );
}

const labelOf = (field: FilterField, value: string): string =>
  field.options?.find((option) => option.value === value)?.label ?? value;

interface ShownChip {
  /** Stays the same while a chip's operation and values change, so that its editor stays open. */
  key: string;
  field: FilterField;
  condition: Condition | undefined;
}

/** A chip for every condition, for every prominent field without one, and for a field that was just chosen. */
export function shownChips(
  fields: readonly FilterField[],
  conditions: readonly Condition[],
  draft?: FilterField,
): ShownChip[] {
  return fields.flatMap((field) => {
    const own = conditions.filter((condition) => condition.field === field.name);
    const places = own.length > 0 ? own : field.isProminent || field === draft ? [undefined] : [];
    return places.map((condition, index) => ({ key: `${field.name}:${index}`, field, condition }));
  });
}

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
