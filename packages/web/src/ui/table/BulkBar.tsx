import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './DataTable.module.css';

/** Takes the header's place while rows are selected, so that nothing below it moves. */
export function BulkBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('table.bulk')}>
      <CloseButton size="sm" onClick={onClear} aria-label={t('table.clearSelection')} />
      <strong>{t('table.selected', { count })}</strong>
      {children}
    </div>
  );
}
