import { Switch } from '@mantine/core';
import { type Execution, terminalStates } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import type { Selection } from '../../../ui/index.ts';
import { actOnMany } from './actOnMany.ts';
import { bulkTarget } from './bulkTarget.ts';
import { DeletedParts, everyPart } from './DeletedParts.tsx';
import { statesAllowing } from './executionActions.ts';
import { useBulk, useBulkCount } from './useBulk.ts';

interface BulkDeleteDialogProps {
  selection: Selection<Execution>;
  filters: Readonly<Record<string, unknown>>;
  onClose: () => void;
  onDone: () => void;
}

/** Deletes many executions. Those that have not ended go only when that is asked for, after a warning. */
export function BulkDeleteDialog({ selection, filters, onClose, onDone }: BulkDeleteDialogProps) {
  const { t } = useTranslation();
  const [parts, setParts] = useState(everyPart);
  const [includesLive, setIncludesLive] = useState(false);
  const ended = bulkTarget(selection, filters, 'delete', terminalStates);
  const target = includesLive ? bulkTarget(selection, filters, 'delete', statesAllowing('delete')) : ended;
  const endedCount = useBulkCount(ended);
  const count = useBulkCount(target);
  const hasLive = endedCount !== undefined && endedCount < selection.count;
  const deletion = useBulk({
    title: t('execution.delete', { count: count ?? selection.count }),
    done: (number) => t('execution.deleted', { count: number }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <ActionDialog
      title={t('execution.delete', { count: count ?? selection.count })}
      confirm={t('action.delete')}
      dangerous
      canConfirm={count !== undefined && count > 0}
      isPending={deletion.isPending}
      error={deletion.error}
      failure={t('execution.deleteFailed')}
      onConfirm={() =>
        deletion.mutate(() => actOnMany('delete', target, { ...parts, includeNonTerminated: includesLive }))
      }
      onClose={onClose}
    >
      <p className={styles.text}>{t('execution.deleteText', { count: count ?? selection.count })}</p>
      {hasLive && (
        <Switch
          label={t('execution.includeLive')}
          checked={includesLive}
          onChange={(event) => setIncludesLive(event.currentTarget.checked)}
        />
      )}
      {includesLive && (
        <p className={styles.warning} role="alert">
          {t('execution.deleteLiveText', { count: count ?? selection.count })}
        </p>
      )}
      <DeletedParts parts={parts} onChange={setParts} />
    </ActionDialog>
  );
}
