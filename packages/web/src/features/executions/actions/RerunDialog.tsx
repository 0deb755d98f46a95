import { Button, Select, Switch } from '@mantine/core';
import { type Execution, executionActions, type TaskRun } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { revisionsQuery } from '../../flows/index.ts';
import { InputFields, isShownByField } from '../inputs/InputFields.tsx';
import { type InputValues, toFormData, valuesGiven } from '../inputs/inputValues.ts';
import { useExecutionMutation } from './executionActions.ts';

interface RerunDialogProps {
  action: 'restart' | 'replay';
  execution: Execution;
  /** A replay may begin at this task run instead of the first. */
  run?: TaskRun;
  onClose: () => void;
}

/** Does an execution again: in place or as a new one, on its own revision or another, with the same inputs or others. */
export function RerunDialog({ action, execution, run, onClose }: RerunDialogProps) {
  const { t } = useTranslation();
  const { id: executionId, namespace, flowId, flowRevision } = execution;
  const [revision, setRevision] = useState(flowRevision);
  const [given, setGiven] = useState<InputValues>();
  const act = useExecutionMutation({ execution, done: t(`executionAction.${action}.done`), onDone: onClose });
  // Without the revisions the dialog still does what it says, on the execution's own.
  const { data: revisions = [] } = useQuery(revisionsQuery({ namespace, id: flowId }));
  // The text of a fork is in no list, but can be run again.
  const numbers = [...(flowRevision < 0 ? [flowRevision] : []), ...revisions.map((one) => one.revision)];
  const latest = Math.max(flowRevision, ...numbers);
  const inputs = revisions.find((one) => one.revision === revision)?.inputs ?? [];
  const values = given && { ...valuesGiven(inputs, execution.inputs), ...given };
  const isOther = revision !== flowRevision;

  const rerun = () => {
    const request = { params: { executionId }, failures: 'handled' } as const;
    const query = { packed: true, ...(run && { taskRunId: run.id }), ...(isOther && { revision }) };
    if (action === 'restart') return call(executionActions.restartExecution, { ...request, query });
    return values
      ? call(executionActions.replayWithInputs, { ...request, query, body: toFormData(values) })
      : call(executionActions.replayExecution, { ...request, query });
  };
  const nameOf = (one: number) => {
    if (one < 0) return 'fork.draft';
    if (one === flowRevision) return one === latest ? 'rerun.ownAndNewest' : 'rerun.own';
    return one === latest ? 'rerun.newest' : 'revision.name';
  };
  return (
    <ActionDialog
      title={run ? t('taskRun.replayTitle', { id: run.taskId }) : t(`executionAction.${action}.title`)}
      confirm={t(`executionAction.${action}.name`)}
      isPending={act.isPending}
      error={act.error && !(values && isShownByField(act.error, inputs)) ? act.error : null}
      onConfirm={() => act.mutate(rerun)}
      onClose={onClose}
    >
      <p className={styles.text}>
        {action === 'restart' && isOther
          ? t('executionAction.restart.otherText', { revision })
          : t(run ? 'taskRun.replayText' : `executionAction.${action}.text`)}
      </p>
      {latest > flowRevision && flowRevision > 0 && revision !== latest && (
        <div className={styles.warning} role="status">
          {t('rerun.outdated', { revision: flowRevision, latest })}{' '}
          <Button size="compact-xs" variant="default" onClick={() => setRevision(latest)}>
            {t('rerun.useLatest')}
          </Button>
        </div>
      )}
      {numbers.length > 1 && (
        <Select
          label={t('rerun.revision')}
          data={numbers
            .toSorted((a, b) => b - a)
            .map((one) => ({ value: String(one), label: t(nameOf(one), { revision: one }) }))}
          value={String(revision)}
          onChange={(value) => setRevision(Number(value))}
          allowDeselect={false}
        />
      )}
      {action === 'replay' && inputs.length > 0 && (
        <Switch
          label={t('rerun.inputs')}
          checked={given !== undefined}
          onChange={(event) => setGiven(event.currentTarget.checked ? {} : undefined)}
        />
      )}
      {values && (
        <InputFields
          inputs={inputs}
          values={values}
          checks={undefined}
          failure={act.error}
          onChange={(id, value) => {
            setGiven((old) => ({ ...old, [id]: value }));
            act.reset();
          }}
        />
      )}
    </ActionDialog>
  );
}
