import { Button } from '@mantine/core';
import { type Execution, executionActions, isTerminal, type TaskRun } from '@millrace/contract';
import { IconGitFork } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { ChangeStateDialog } from './ChangeStateDialog.tsx';
import { actionIcons, allows, marksAfter } from './executionActions.ts';
import { RerunDialog } from './RerunDialog.tsx';

const ForkDialog = lazyPart(() => import('./ForkDialog.tsx'), 'ForkDialog', Nothing);

interface TaskRunActionsProps {
  execution: Execution;
  run: TaskRun;
}

/** What can be done from a task run on: most of it once its execution stands still, a fork at any time. */
export function TaskRunActions({ execution, run }: TaskRunActionsProps) {
  const { t } = useTranslation();
  const [asked, ask] = useState<'replay' | 'mark' | 'fork'>();
  const close = () => ask(undefined);
  const state = execution.state.current;
  const current = run.state.current;
  const canMark = (isTerminal(state) || state === 'PAUSED') && (isTerminal(current) || current === 'PAUSED');
  const ReplayIcon = actionIcons.replay;
  const MarkIcon = actionIcons.changeStatus;
  return (
    <>
      {allows(state, 'replay') && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<ReplayIcon size={14} />}
          onClick={() => ask('replay')}
        >
          {t('taskRun.replay')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconGitFork size={14} />}
        title={t('fork.hint')}
        onClick={() => ask('fork')}
      >
        {t('fork.open')}
      </Button>
      {canMark && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<MarkIcon size={14} />}
          onClick={() => ask('mark')}
        >
          {t('taskRun.changeState')}
        </Button>
      )}
      {asked === 'replay' && <RerunDialog action="replay" execution={execution} run={run} onClose={close} />}
      {asked === 'fork' && <ForkDialog execution={execution} run={run} onClose={close} />}
      {asked === 'mark' && (
        <ChangeStateDialog
          title={t('taskRun.changeStateTitle', { id: run.taskId })}
          text={t('taskRun.changeStateText')}
          execution={execution}
          current={current}
          choices={marksAfter(current)}
          hintOf={(choice) => t(`taskRun.hint.${choice}`)}
          change={(choice) =>
            call(executionActions.changeTaskRunState, {
              params: { executionId: execution.id },
              body: { taskRunId: run.id, state: choice },
              failures: 'handled',
            })
          }
          onClose={close}
        />
      )}
    </>
  );
}
