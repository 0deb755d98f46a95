import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './ConfirmDialog.module.css';
import type { Question } from './confirm.ts';
import { useReturnFocus } from './dialog/useReturnFocus.ts';

interface ConfirmDialogProps {
  question: Question;
  /** Escape, the cross and a click beside the dialog all mean no. */
  onAnswer: (agreed: boolean) => void;
}

export function ConfirmDialog({ question, onAnswer }: ConfirmDialogProps) {
  const { t } = useTranslation();
  useReturnFocus();
  const { title, body, confirm, cancel, dangerous = false, size = 'md' } = question;
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <div className={styles.body}>{body}</div>
      <div className={styles.foot}>
        <Button variant="default" onClick={() => onAnswer(false)}>
          {cancel}
        </Button>
        <Button {...(dangerous && { color: 'red' })} onClick={() => onAnswer(true)} data-autofocus>
          {confirm}
        </Button>
      </div>
    </Modal>
  );
}
