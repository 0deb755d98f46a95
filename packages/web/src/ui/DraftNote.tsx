import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import styles from './DraftNote.module.css';
import { DateAgo } from './values/DateTime.tsx';

interface DraftNoteProps {
  text: ReactNode;
  /** When it was written. */
  at: string;
  /** Missing once the draft is restored. */
  onRestore?: () => void;
  onDiscard: () => void;
}

/** A text that was left unsaved: offered, or restored already. */
export function DraftNote({ text, at, onRestore, onDiscard }: DraftNoteProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.note} role="status">
      <span>
        {text} <DateAgo value={at} />
      </span>
      <span className={styles.actions}>
        {onRestore && (
          <Button size="compact-sm" variant="default" onClick={onRestore}>
            {t('draft.restore')}
          </Button>
        )}
        <Button size="compact-sm" variant={onRestore ? 'subtle' : 'default'} color="gray" onClick={onDiscard}>
          {t('draft.discard')}
        </Button>
      </span>
    </div>
  );
}
