import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './SettingsSection.module.css';

interface SettingsSectionProps {
  title: string;
  note?: string;
  children: ReactNode;
}

export function SettingsSection({ title, note, children }: SettingsSectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.intro}>
        <h2>{title}</h2>
        {note && <p>{note}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly T[];
  name: (option: T) => string;
  value: T;
  onChange: (value: T) => void;
  searchable?: boolean;
}

/** A page of many lists: the options of those that are shut are not in it. */
export const closedIsAbsent = { keepMounted: false };

/** One of a few values, by their names. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, options, name, value, onChange, searchable = false } = props;
  return (
    <Select
      label={label}
      data={options.map((option) => ({ value: option as string, label: name(option) }))}
      value={value}
      onChange={(next) => {
        const chosen = options.find((option) => option === next);
        if (chosen !== undefined) onChange(chosen);
      }}
      comboboxProps={closedIsAbsent}
      allowDeselect={false}
      searchable={searchable}
    />
  );
}
