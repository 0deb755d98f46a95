import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilterField } from './condition.ts';
import styles from './ListFilters.module.css';

interface TextValueProps {
  field: FilterField;
  value: string;
  onChange: (value: string) => void;
}

export function TextValue({ field, value, onChange }: TextValueProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
      }}
    >
      <TextInput
        data-autofocus
        aria-label={field.label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t('filter.apply')}
      </Button>
    </form>
  );
}
