import { Input, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { durationOf, durationUnits, partsOf } from '../durationParts.ts';
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
