import { Button } from '@mantine/core';
import { Dialog } from '../dialog/Dialog.tsx';
import styles from './ConfirmDialog.module.css';
import type { Question } from './confirm.ts';

interface ConfirmDialogProps {
  question: Question;
  /** Escape, the cross and a click beside the dialog all mean no. */
  onAnswer: (agreed: boolean) => void;
}

export function ConfirmDialog({ question, onAnswer }: ConfirmDialogProps) {
  const { title, body, confirm, cancel, dangerous = false, size = 'md' } = question;
  return (
    <Dialog onClose={() => onAnswer(false)} title={title} size={size}>
      <div className={styles.body}>{body}</div>
      <div className={styles.foot}>
        <Button variant="default" onClick={() => onAnswer(false)}>
          {cancel}
        </Button>
        <Button {...(dangerous && { color: 'red' })} onClick={() => onAnswer(true)} data-autofocus>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
