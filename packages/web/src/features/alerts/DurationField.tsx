import { Input, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseIsoDuration } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './alerts.module.css';

interface DurationFieldProps {
  label: string;
  /** An ISO 8601 duration; empty when there is none. */
  value: string;
  placeholder?: string | undefined;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A duration as a number and its unit. A value that has no single unit stays a text. */
export function DurationField({ label, value, placeholder = '', error, onChange }: DurationFieldProps) {
  const { t } = useTranslation();
  const [parts] = useState(() => splitDuration(value));
  const [unit, setUnit] = useState<DurationUnit>(parts?.unit ?? 'minutes');
  if (!parts)
    return (
      <TextInput
        label={label}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const amount = value === '' ? '' : (parseIsoDuration(value) ?? 0) / durationUnits[unit];
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around one field of the form. */}
      <div className={styles.duration} role="group" aria-label={label}>
        <NumberInput
          aria-label={label}
          value={amount}
          placeholder={placeholder}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          error={error !== undefined}
          onChange={(next) => onChange(next === '' ? '' : writeDuration(Number(next), unit))}
        />
        <NativeSelect
          aria-label={t('alerts.field.unit', { name: label })}
          value={unit}
          data={Object.keys(durationUnits).map((name) => ({
            value: name,
            label: t(`duration.${name as DurationUnit}`), // `as`: the keys are the units.
          }))}
          onChange={({ currentTarget: { value: name } }) => {
            const next = name as DurationUnit; // `as`: one of the options.
            setUnit(next);
            if (amount !== '') onChange(writeDuration(amount, next));
          }}
        />
      </div>
    </Input.Wrapper>
  );
}

/** The units that a duration of a rule is written in, with their lengths in milliseconds. */
const durationUnits = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const;
type DurationUnit = keyof typeof durationUnits;

/** A duration in the longest unit that has a whole number of it; undefined when no unit has. */
function splitDuration(text: string): { amount: number; unit: DurationUnit } | undefined {
  const ms = text === '' ? 0 : parseIsoDuration(text);
  if (ms === undefined) return undefined;
  if (ms === 0) return { amount: 0, unit: 'minutes' };
  const units = Object.keys(durationUnits).reverse() as DurationUnit[]; // `as`: the keys are the units.
  const unit = units.find((name) => ms % durationUnits[name] === 0);
  return unit && { amount: ms / durationUnits[unit], unit };
}

function writeDuration(amount: number, unit: DurationUnit): string {
  if (unit === 'days') return `P${amount}D`;
  return `PT${amount}${{ seconds: 'S', minutes: 'M', hours: 'H' }[unit]}`;
}
