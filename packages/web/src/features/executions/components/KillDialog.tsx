import { Checkbox } from '@mantine/core';
import { type Execution, executions } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { useAct } from './useAct.ts';

export function KillDialog({ execution, onClose }: { execution: Execution; onClose: () => void }) {
  const { t } = useTranslation();
  const [isCascading, setCascading] = useState(true);
  const act = useAct({ execution, done: t('execution.killed'), onDone: onClose });
  const kill = async () => {
    await call(executions.killExecution, {
      params: { executionId: execution.id },
      query: { isOnKillCascade: isCascading },
      failures: 'handled',
    });
    return undefined;
  };
  return (
    <ActionDialog
      title={t('execution.kill')}
      confirm={t('action.kill')}
      dangerous
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate(kill)}
      onClose={onClose}
    >
      <p className={styles.text}>{t('execution.killText')}</p>
      <Checkbox
        label={t('execution.killCascade')}
        checked={isCascading}
        onChange={(event) => setCascading(event.currentTarget.checked)}
      />
    </ActionDialog>
  );
}
