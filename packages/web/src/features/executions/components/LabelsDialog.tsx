import { type Execution, executionActions, systemLabelPrefix } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import { isHalfFilled, LabelRows } from './LabelRows.tsx';
import { useAct } from './useAct.ts';

/** Replaces the labels that people set; those of the system are not shown and stay. */
export function LabelsDialog({ execution, onClose }: { execution: Execution; onClose: () => void }) {
  const { t } = useTranslation();
  const [labels, setLabels] = useState(() =>
    execution.labels.filter(({ key }) => !key.startsWith(systemLabelPrefix)),
  );
  const act = useAct({ execution, done: t('executionAction.setLabels.done'), onDone: onClose });
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
