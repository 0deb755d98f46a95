import { type Execution, executionActions } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import type { ExecutionAction } from './executionActions.ts';
import { ForceRunRules } from './ForceRunRules.tsx';
import { useAct } from './useAct.ts';

export type PlainAction = Extract<ExecutionAction, 'pause' | 'unqueue' | 'forceRun'>;

interface ConfirmActionDialogProps {
  action: PlainAction;
  execution: Execution;
  onClose: () => void;
}

/** The actions that need a yes and nothing else. */
export function ConfirmActionDialog({ action, execution, onClose }: ConfirmActionDialogProps) {
  const { t } = useTranslation();
  const act = useAct({ execution, done: t(`executionAction.${action}.done`), onDone: onClose });
  const request = { params: { executionId: execution.id }, failures: 'handled' } as const;
  const calls: Record<PlainAction, () => Promise<Execution | undefined>> = {
    pause: async () => {
      await call(executionActions.pauseExecution, request);
      return undefined;
    },
    unqueue: () => call(executionActions.unqueueExecution, request),
    forceRun: () => call(executionActions.forceRun, request),
  };
  return (
    <ActionDialog
      title={t(`executionAction.${action}.title`)}
      confirm={t(`executionAction.${action}.name`)}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate(calls[action])}
      onClose={onClose}
    >
      <p className={styles.text}>{t(`executionAction.${action}.text`)}</p>
      {action === 'forceRun' && <ForceRunRules />}
    </ActionDialog>
  );
}
