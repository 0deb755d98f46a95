import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './FilterBar.module.css';

interface FilterBarProps {
  children: ReactNode;
  /** Given while something is filtered: brings everything back. */
  onClear?: (() => void) | undefined;
  /** At the right end: refresh, columns. */
  tools?: ReactNode;
}

export function FilterBar({ children, onClear, tools }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <search className={styles.bar}>
      {children}
      {onClear && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t('filter.clear')}
        </Button>
      )}
      {tools && <div className={styles.tools}>{tools}</div>}
    </search>
  );
}
