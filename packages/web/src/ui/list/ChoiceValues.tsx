import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilterField } from './condition.ts';
import styles from './ListFilters.module.css';

/** More than these are found by typing. */
const shownAtMost = 100;
const searchableFrom = 8;

interface ChoiceValuesProps {
  field: FilterField;
  values: readonly string[];
  isMultiple: boolean;
  onChange: (values: readonly string[]) => void;
}

export function ChoiceValues({ field, values, isMultiple, onChange }: ChoiceValuesProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const options = field.options ?? [];
  // What is chosen stays in sight even when it is not (or no longer) offered.
  const strange = values
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value, content: undefined }));
  const wanted = typed.trim().toLowerCase();
  const matching = [...strange, ...options].filter(
    ({ value, label }) => value.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted),
  );
  const toggle = (value: string) => {
    if (!isMultiple) onChange([value]);
    else onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  };
  const Control = isMultiple ? Checkbox : Radio;
  return (
    <>
      {(field.takesOthers || options.length >= searchableFrom) && (
        <TextInput
          data-autofocus
          placeholder={t(field.takesOthers ? 'filter.findOrType' : 'filter.find')}
          aria-label={t('filter.findIn', { field: field.label })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            const exact = options.find(({ value }) => value.toLowerCase() === wanted);
            const value = field.takesOthers ? (exact?.value ?? typed.trim()) : matching[0]?.value;
            if (!value) return;
            setTyped('');
            toggle(value);
          }}
        />
      )}
      <fieldset className={styles.options} aria-label={field.label}>
        {matching.slice(0, shownAtMost).map(({ value, label, content }) => (
          <Control
            key={value}
            size="xs"
            className={styles.option ?? ''}
            name={`filter-${field.name}`}
            label={content ?? label}
            aria-label={label}
            checked={values.includes(value)}
            onChange={() => toggle(value)}
          />
        ))}
      </fieldset>
      {matching.length === 0 && (
        <p className={styles.note}>{t(field.takesOthers ? 'filter.useTyped' : 'filter.nothing')}</p>
      )}
      {matching.length > shownAtMost && (
        <p className={styles.note}>{t('filter.more', { count: matching.length - shownAtMost })}</p>
      )}
    </>
  );
}
