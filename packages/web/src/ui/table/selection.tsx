import { Button, CloseButton } from '@mantine/core';
import { type ChangeEventHandler, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './DataTable.module.css';
import selectionStyles from './selection.module.css';

interface BulkBarProps {
  count: number;
  /** Given while there are more rows than this page has: takes them all. */
  all?: { total: number; isChosen: boolean; onChoose: () => void } | undefined;
  onClear: () => void;
  children: ReactNode;
}

/** Takes the header's place while rows are selected, so that nothing below it moves. */
export function BulkBar({ count, all, onClear, children }: BulkBarProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('table.bulk')}>
      <CloseButton size="sm" onClick={onClear} aria-label={t('table.clearSelection')} />
      <strong aria-live="polite">
        {t(all?.isChosen ? 'table.allSelected' : 'table.selected', { count })}
      </strong>
      {all && !all.isChosen && (
        <Button size="compact-sm" variant="subtle" onClick={all.onChoose}>
          {t('table.selectAllMatching', { count: all.total })}
        </Button>
      )}
      {children}
    </div>
  );
}

interface CheckProps {
  checked: boolean;
  indeterminate?: boolean;
  onChange: ChangeEventHandler<HTMLInputElement>;
  'aria-label': string;
}

/** The box that selects a row: each row has one, so it is the browser's own. */
export function Check({ indeterminate = false, ...box }: CheckProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return <input ref={input} type="checkbox" className={selectionStyles.check} {...box} />;
}
