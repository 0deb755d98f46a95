import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../../ui/index.ts';
import type { FlowDraft } from '../flowDraft.ts';
import styles from './DraftNote.module.css';

interface DraftNoteProps {
  draft: FlowDraft;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Offers the flow that was left unsaved the last time. */
export function DraftNote({ draft, onRestore, onDiscard }: DraftNoteProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.note} role="status">
      <span>
        {t('draft.found')} <DateAgo value={draft.at} />
      </span>
      <span className={styles.actions}>
        <Button size="compact-sm" variant="default" onClick={onRestore}>
          {t('draft.restore')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDiscard}>
          {t('draft.discard')}
        </Button>
      </span>
    </div>
  );
}
