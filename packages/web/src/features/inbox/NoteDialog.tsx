import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';

interface NoteDialogProps {
  note: string;
  isPending: boolean;
  onSave: (note: string) => void;
  onClose: () => void;
}

/** A note for everyone who opens the inbox. */
export function NoteDialog({ note, isPending, onSave, onClose }: NoteDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(note);
  return (
    <ActionDialog
      title={t('inbox.note')}
      confirm={t('action.save')}
      isPending={isPending}
      onConfirm={() => onSave(text)}
      onClose={onClose}
    >
      <Textarea
        label={t('inbox.noteLabel')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={2_000}
        minRows={3}
        rows={4}
        data-autofocus
      />
    </ActionDialog>
  );
}
