import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '../../../ui/DraftNote.module.css';
import { useNow } from '../../../ui/useNow.ts';
import type { SaveStatus } from '../useFlowSave.ts';

interface SaveNoteProps {
  status: SaveStatus;
  onTryNow: () => void;
  onStop: () => void;
}

/** Says that a save has not reached the server, and when it is sent again. */
export function SaveNote({ status, onTryNow, onStop }: SaveNoteProps) {
  const { t } = useTranslation();
  const now = useNow(status.is === 'waiting', 1000);
  if (status.is !== 'waiting') return null;
  const { retryAt, tries } = status;
  const seconds = retryAt === undefined ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1000));
  return (
    <div className={styles.note} data-tone="warning" role="alert">
      <span>
        <strong>{t('save.unreachable')}</strong>{' '}
        {retryAt === undefined ? t('save.trying', { number: tries }) : t('save.waiting', { seconds })}
      </span>
      <span className={styles.actions}>
        <Button size="compact-sm" variant="default" onClick={onTryNow} disabled={retryAt === undefined}>
          {t('save.tryNow')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onStop}>
          {t('save.stop')}
        </Button>
      </span>
    </div>
  );
}
