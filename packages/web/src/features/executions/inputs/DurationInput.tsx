import { Input, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import styles from './DurationInput.module.css';

interface DurationInputProps {
  label: string;
  description: string | undefined;
  withAsterisk: boolean;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** A duration from its units. One that is written in another way stays as it is written. */
export function DurationInput({ value, onChange, onBlur, ...shared }: DurationInputProps) {
  const { t } = useTranslation();
  const [parts, setParts] = useState(() => partsOf(value));
  if (!parts)
    return (
      <TextInput
        {...shared}
        value={value}
        onBlur={onBlur}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  return (
    <Input.Wrapper {...shared} labelElement="div">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around one field of the form. */}
      <div className={styles.units} role="group" aria-label={shared.label}>
        {durationUnits.map((unit) => (
          <NumberInput
            key={unit}
            size="xs"
            label={t(`duration.${unit}`)}
            min={0}
            allowDecimal={unit === 'seconds'}
            allowNegative={false}
            value={parts[unit] ?? ''}
            onBlur={onBlur}
            onChange={(next) => {
              const { [unit]: _, ...rest } = parts;
              const changed = next === '' ? rest : { ...rest, [unit]: Number(next) };
              setParts(changed);
              onChange(durationOf(changed));
            }}
          />
        ))}
      </div>
    </Input.Wrapper>
  );
}

/** The units a duration is put together from, the longest first. */
const durationUnits = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
type DurationUnit = (typeof durationUnits)[number];
type DurationParts = Readonly<Partial<Record<DurationUnit, number>>>;

const written =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/** The parts of an ISO 8601 duration; undefined when the text is something else. */
export function partsOf(text: string): DurationParts | undefined {
  if (text === '') return {};
  const found = written.exec(text);
  if (!found) return undefined;
  return Object.fromEntries(
    durationUnits.flatMap((unit, index) => {
      const value = found[index + 1];
      return value === undefined ? [] : [[unit, Number(value)]];
    }),
  );
}

/**
 * The duration as the server reads it. It has a fixed length, so a year counts 365 days, a month 30 and a week 7.
 * Empty while nothing is given.
 */
export function durationOf(parts: DurationParts): string {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parts;
  if (durationUnits.every((unit) => parts[unit] === undefined)) return '';
  const date = years * 365 + months * 30 + weeks * 7 + days;
  const time = [hours && `${hours}H`, minutes && `${minutes}M`, seconds && `${seconds}S`].filter(Boolean);
  if (date === 0 && time.length === 0) return 'PT0S';
  return `P${date ? `${date}D` : ''}${time.length > 0 ? `T${time.join('')}` : ''}`;
}
