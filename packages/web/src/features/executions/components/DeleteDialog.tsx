import { type Execution, executions } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { isLive } from '../isLive.ts';
import { DeletedParts, everyPart } from './DeletedParts.tsx';

interface DeleteDialogProps {
  execution: Execution;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteDialog({ execution, onClose, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [parts, setParts] = useState(everyPart);
  const deletion = useMutation({
    mutationFn: () =>
      call(executions.deleteExecution, {
        params: { executionId: execution.id },
        query: parts,
        failures: 'handled',
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['executions'] });
      showSuccess(t('execution.deleted', { count: 1 }));
      onClose();
      onDeleted();
    },
  });
  return (
    <ActionDialog
      title={t('execution.delete', { count: 1 })}
      confirm={t('action.delete')}
      dangerous
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p className={styles.text}>{t('execution.deleteText', { count: 1 })}</p>
      {isLive(execution) && (
        <p className={styles.warning} role="alert">
          {t('execution.deleteLiveText', { count: 1 })}
        </p>
      )}
      <DeletedParts parts={parts} onChange={setParts} />
    </ActionDialog>
  );
}
