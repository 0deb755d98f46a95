import { useDebouncedValue } from '@mantine/hooks';
import { type Execution, executionActions } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { Loading } from '../../../ui/index.ts';
import { InputFields, isShownByField } from '../inputs/InputFields.tsx';
import { fingerprint, type InputValues, initialValues, toFormData } from '../inputs/inputValues.ts';
import { useExecutionMutation } from './executionActions.ts';

const checkAfterMs = 300;

/** Resumes a paused execution with the inputs of its pause. The server checks the values while the user types. */
export function ResumeDialog({ execution, onClose }: { execution: Execution; onClose: () => void }) {
  const { t } = useTranslation();
  const [given, setGiven] = useState<InputValues>({});
  const check = useResumeCheck(execution.id, given);
  const inputs = check.data?.inputs.map(({ input }) => input) ?? [];
  const values = { ...initialValues(inputs), ...given };
  const act = useExecutionMutation({ execution, done: t('executionAction.resume.done'), onDone: onClose });
  const failure = check.error ?? act.error;
  const resume = async () => {
    await call(executionActions.resumeExecution, {
      params: { executionId: execution.id },
      body: toFormData(values),
      failures: 'handled',
    });
    return undefined;
  };
  return (
    <ActionDialog
      title={t('executionAction.resume.title')}
      confirm={t('executionAction.resume.name')}
      canConfirm={check.data !== undefined}
      isPending={act.isPending}
      error={failure && !isShownByField(failure, inputs) ? failure : null}
      onConfirm={() => act.mutate(resume)}
      onClose={onClose}
    >
      {check.isPending && <Loading />}
      {check.data && (
        <p className={styles.text}>
          {t(inputs.length > 0 ? 'executionAction.resume.asks' : 'executionAction.resume.text')}
        </p>
      )}
      <InputFields
        inputs={inputs}
        values={values}
        checks={check.data?.inputs}
        failure={act.error}
        onChange={(id, value) => {
          setGiven((old) => ({ ...old, [id]: value }));
          act.reset();
        }}
      />
    </ActionDialog>
  );
}

/** The first check, without values, also tells which inputs the pause asks for. */
function useResumeCheck(executionId: string, given: InputValues) {
  const [settled] = useDebouncedValue(given, checkAfterMs);
  return useQuery({
    queryKey: ['resume', currentTenant(), executionId, fingerprint(settled)],
    queryFn: ({ signal }) =>
      call(executionActions.validateResume, {
        params: { executionId },
        body: toFormData(settled),
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
