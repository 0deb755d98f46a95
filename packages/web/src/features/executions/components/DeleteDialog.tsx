import { Checkbox, Switch } from '@mantine/core';
import { bulkExecutions, type Execution, executions } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { isLive } from '../isLive.ts';
import { ActionDialog } from './ActionDialog.tsx';
import styles from './DialogForm.module.css';

interface DeleteDialogProps {
  chosen: readonly Execution[];
  onClose: () => void;
  onDeleted: () => void;
}

const parts = ['deleteLogs', 'deleteMetrics', 'deleteStorage'] as const;
type Flags = Record<(typeof parts)[number], boolean>;

/** Deletes one or many executions. Those that have not ended go only when that is asked for, after a warning. */
export function DeleteDialog({ chosen, onClose, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [flags, setFlags] = useState<Flags>({ deleteLogs: true, deleteMetrics: true, deleteStorage: true });
  const hasLive = chosen.some(isLive);
  const isOne = chosen.length === 1;
  const [includesLive, setIncludesLive] = useState(hasLive && isOne);
  const ids = chosen.filter((execution) => includesLive || !isLive(execution)).map(({ id }) => id);
  const deletion = useMutation({
    mutationFn: () => deleteAll(ids, flags, includesLive),
    onSuccess: (count) => {
      void client.invalidateQueries({ queryKey: ['executions'] });
      showSuccess(t('execution.deleted', { count }));
      onClose();
      onDeleted();
    },
  });
  return (
    <ActionDialog
      title={t('execution.delete', { count: chosen.length })}
      confirm={t('action.delete')}
      dangerous
      canConfirm={ids.length > 0}
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p className={styles.text}>{t('execution.deleteText', { count: chosen.length })}</p>
      {hasLive && !isOne && (
        <Switch
          label={t('execution.includeLive')}
          checked={includesLive}
          onChange={(event) => setIncludesLive(event.currentTarget.checked)}
        />
      )}
      {includesLive && (
        <p className={styles.warning} role="alert">
          {t('execution.deleteLiveText', { count: chosen.length })}
        </p>
      )}
      <div className={styles.choices}>
        {parts.map((part) => (
          <Checkbox
            key={part}
            label={t(`execution.${part}`)}
            checked={flags[part]}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              setFlags((old) => ({ ...old, [part]: checked }));
            }}
          />
        ))}
      </div>
    </ActionDialog>
  );
}

/** Answers with how many are gone. */
async function deleteAll(
  ids: readonly string[],
  flags: Flags,
  includeNonTerminated: boolean,
): Promise<number> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) {
    await call(executions.deleteExecution, {
      params: { executionId: only },
      query: flags,
      failures: 'handled',
    });
    return 1;
  }
  const { count } = await call(bulkExecutions.remove.byIds, {
    query: { ...flags, includeNonTerminated },
    body: [...ids],
    failures: 'handled',
  });
  return count;
}
