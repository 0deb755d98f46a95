import { Checkbox } from '@mantine/core';
import { type Execution, executionActions, executions, systemLabelPrefix } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { isHalfFilled, LabelRows } from '../execute/LabelRows.tsx';
import { ChangeStateDialog } from './ChangeStateDialog.tsx';
import { DeleteOptions, everyPart, ForceRunRules } from './DeleteOptions.tsx';
import { type ExecutionAction, isLive, statusesAfter, useExecutionMutation } from './executionActions.ts';
import { RerunDialog } from './RerunDialog.tsx';
import { ResumeDialog } from './ResumeDialog.tsx';

export interface ExecutionActionDialogProps {
  action: ExecutionAction;
  execution: Execution;
  onClose: () => void;
  onDeleted: () => void;
}

/** The dialog of each action: what it asks before it is done. */
export function ExecutionActionDialog({ action, onDeleted, ...props }: ExecutionActionDialogProps) {
  const { t } = useTranslation();
  const { execution, onClose } = props;
  switch (action) {
    case 'restart':
    case 'replay':
      return <RerunDialog action={action} {...props} />;
    case 'resume':
      return <ResumeDialog {...props} />;
    case 'kill':
      return <KillDialog {...props} />;
    case 'setLabels':
      return <LabelsDialog {...props} />;
    case 'delete':
      return <DeleteDialog execution={execution} onClose={onClose} onDeleted={onDeleted} />;
    case 'changeStatus':
      return (
        <ChangeStateDialog
          {...props}
          title={t('executionAction.changeStatus.title')}
          text={t('executionAction.changeStatus.text')}
          current={execution.state.current}
          choices={statusesAfter(execution.state.current)}
          change={(status) =>
            call(executionActions.changeStatus, {
              params: { executionId: execution.id },
              query: { status },
              failures: 'handled',
            })
          }
        />
      );
    default:
      return <ConfirmActionDialog action={action} {...props} />;
  }
}

type PlainAction = Extract<ExecutionAction, 'pause' | 'unqueue' | 'forceRun'>;

interface ConfirmActionDialogProps {
  action: PlainAction;
  execution: Execution;
  onClose: () => void;
}

/** The actions that need a yes and nothing else. */
function ConfirmActionDialog({ action, execution, onClose }: ConfirmActionDialogProps) {
  const { t } = useTranslation();
  const act = useExecutionMutation({ execution, done: t(`executionAction.${action}.done`), onDone: onClose });
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

interface DeleteDialogProps {
  execution: Execution;
  onClose: () => void;
  onDeleted: () => void;
}

function DeleteDialog({ execution, onClose, onDeleted }: DeleteDialogProps) {
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
      <DeleteOptions parts={parts} onChange={setParts} />
    </ActionDialog>
  );
}

function KillDialog({ execution, onClose }: { execution: Execution; onClose: () => void }) {
  const { t } = useTranslation();
  const [isCascading, setCascading] = useState(true);
  const act = useExecutionMutation({ execution, done: t('execution.killed'), onDone: onClose });
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

/** Replaces the labels that people set; those of the system are not shown and stay. */
function LabelsDialog({ execution, onClose }: { execution: Execution; onClose: () => void }) {
  const { t } = useTranslation();
  const [labels, setLabels] = useState(() =>
    execution.labels.filter(({ key }) => !key.startsWith(systemLabelPrefix)),
  );
  const act = useExecutionMutation({ execution, done: t('executionAction.setLabels.done'), onDone: onClose });
  const save = () =>
    call(executionActions.setLabels, {
      params: { executionId: execution.id },
      body: labels.filter(({ key }) => key !== ''),
      failures: 'handled',
    });
  return (
    <ActionDialog
      title={t('executionAction.setLabels.title')}
      confirm={t('action.save')}
      canConfirm={!labels.some(isHalfFilled)}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate(save)}
      onClose={onClose}
    >
      <LabelRows labels={labels} onChange={setLabels} />
    </ActionDialog>
  );
}
