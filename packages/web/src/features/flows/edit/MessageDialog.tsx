import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';

interface MessageDialogProps {
  /** A draft needs no message. */
  readonly isDraft?: boolean;
  onSave(message: string): void;
  onClose(): void;
}

/** As many characters as the server stores. */
const MAX_LENGTH = 1000;

/** Asks why a revision or a draft is saved. */
export function MessageDialog({ isDraft = false, onSave, onClose }: MessageDialogProps) {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const canSave = isDraft || message.trim() !== '';
  return (
    <ActionDialog
      title={t(isDraft ? 'draftRevision.save' : 'revisions.saveWithMessage')}
      confirm={t('action.save')}
      canConfirm={canSave}
      isPending={false}
      onConfirm={() => onSave(message.trim())}
      onClose={onClose}
    >
      <Textarea
        label={t('revisions.message')}
        description={t(isDraft ? 'draftRevision.hint' : 'revisions.messageHint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_LENGTH}
        data-autofocus
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !canSave) return;
          event.preventDefault();
          onSave(message.trim());
        }}
      />
    </ActionDialog>
  );
}
