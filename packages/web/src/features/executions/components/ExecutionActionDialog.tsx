import { type Execution, executionActions } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ChangeStateDialog } from './ChangeStateDialog.tsx';
import { ConfirmActionDialog } from './ConfirmActionDialog.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { type ExecutionAction, statusesAfter } from './executionActions.ts';
import { KillDialog } from './KillDialog.tsx';
import { LabelsDialog } from './LabelsDialog.tsx';
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
