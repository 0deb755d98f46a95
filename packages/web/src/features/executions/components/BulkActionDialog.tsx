import type { Execution } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { ActionDialog } from './ActionDialog.tsx';
import { type BulkAction, bulkActions } from './bulkActions.ts';
import styles from './DialogForm.module.css';
import { allows } from './executionActions.ts';

interface BulkActionDialogProps {
  action: BulkAction;
  chosen: readonly Execution[];
  onClose: () => void;
  onDone: () => void;
}

/** Acts on those of the chosen executions whose state allows it, and says beforehand how many are left alone. */
export function BulkActionDialog({ action, chosen, onClose, onDone }: BulkActionDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ids = chosen.filter(({ state }) => allows(state.current, action)).map(({ id }) => id);
  const count = ids.length;
  const leftAlone = chosen.length - count;
  const acting = useMutation({
    mutationFn: () => call(bulkActions[action], { body: ids, failures: 'handled' }),
    onSuccess: (done) => {
      showSuccess(t(`executionAction.${action}.bulkDone`, { count: done.count }));
      onClose();
      onDone();
    },
    // A refusal means that the list shows old states.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['executions'] }),
        client.invalidateQueries({ queryKey: ['execution'] }),
      ]),
  });
  return (
    <ActionDialog
      title={t(`executionAction.${action}.bulkTitle`, { count })}
      confirm={t(`executionAction.${action}.name`)}
      dangerous={action === 'kill'}
      isPending={acting.isPending}
      error={acting.error}
      onConfirm={() => acting.mutate()}
      onClose={onClose}
    >
      <p className={styles.text}>{t(`executionAction.${action}.bulkText`, { count })}</p>
      {leftAlone > 0 && <p className={styles.none}>{t('executionAction.leftAlone', { count: leftAlone })}</p>}
    </ActionDialog>
  );
}
