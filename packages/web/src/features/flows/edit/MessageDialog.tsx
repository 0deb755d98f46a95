import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';

interface MessageDialogProps {
  onSave(message: string): void;
  onClose(): void;
}

/** As many characters as the server stores. */
const MAX_LENGTH = 1000;

/** Asks why a revision is saved. */
export function MessageDialog({ onSave, onClose }: MessageDialogProps) {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const canSave = message.trim() !== '';
  return (
    <ActionDialog
      title={t('revisions.saveWithMessage')}
      confirm={t('action.save')}
      canConfirm={canSave}
      isPending={false}
      onConfirm={() => onSave(message.trim())}
      onClose={onClose}
    >
      <Textarea
        label={t('revisions.message')}
        description={t('revisions.messageHint')}
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
