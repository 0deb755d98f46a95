import { Button } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BulkProblems } from './BulkProblems.tsx';
import { Dialog, useDialogFocus } from './Dialog.tsx';
import styles from './DialogForm.module.css';

interface ActionDialogProps {
  title: string;
  /** The word on the button that does it. */
  confirm: string;
  dangerous?: boolean;
  /** For dialogs with an editor. */
  size?: 'xl';
  canConfirm?: boolean;
  isPending: boolean;
  /** Why the server refused; the dialog stays open, so that the choice can be changed. */
  error?: Error | null;
  /** What did not work, above why. */
  failure?: string;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The frame of every dialog that does something to executions. */
export function ActionDialog(props: ActionDialogProps) {
  const { t } = useTranslation();
  const { title, confirm, dangerous = false, canConfirm = true, isPending, error, onClose } = props;
  const form = useDialogFocus(canConfirm);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canConfirm && !isPending) props.onConfirm();
  };
  return (
    <Dialog onClose={onClose} title={title} {...(props.size && { size: props.size })}>
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        {props.children}
        {error && (
          <div className={styles.error} role="alert">
            {props.failure && <strong>{props.failure}</strong>}
            <BulkProblems error={error} />
          </div>
        )}
        <div className={styles.foot}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            type="submit"
            {...(dangerous && { color: 'red' })}
            loading={isPending}
            disabled={!canConfirm}
            data-autofocus
          >
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
