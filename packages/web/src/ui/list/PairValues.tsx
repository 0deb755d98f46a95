import { Button, CloseButton, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FilterField, isPair, splitPair } from './condition.ts';
import styles from './ListFilters.module.css';

interface PairValuesProps {
  field: FilterField;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
}

export function PairValues({ field, values, onChange }: PairValuesProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isRefused, refuse] = useState(false);
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isPair(typed)) return refuse(true);
    const pair = splitPair(typed).join(':');
    setTyped('');
    onChange([...values.filter((value) => value !== pair), pair]);
  };
  return (
    <>
      {values.map((value) => (
        <span key={value} className={styles.pair}>
          <code>{value}</code>
          <CloseButton
            size="xs"
            aria-label={t('filter.remove', { field: value })}
            onClick={() => onChange(values.filter((one) => one !== value))}
          />
        </span>
      ))}
      <form className={styles.row} onSubmit={add} noValidate>
        <TextInput
          data-autofocus
          placeholder="key:value"
          aria-label={field.label}
          value={typed}
          error={isRefused && t('filter.pairNeeded')}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            refuse(false);
          }}
        />
        <Button type="submit" variant="default">
          {t('filter.addValue')}
        </Button>
      </form>
    </>
  );
}
