import { Button, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Execution, executions, type Label } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { executionQuery } from '../../../api/followExecution.ts';
import { currentTenant } from '../../../api/tenant.ts';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { BrokenPart, KeyHint, Loading } from '../../../ui/index.ts';
import { flowQuery } from '../../flows/index.ts';
import { fingerprint, type InputValue, type InputValues, initialValues, toFormData } from '../inputValues.ts';
import { InputFields, isShownByField } from './InputFields.tsx';
import { isHalfFilled, LabelRows } from './LabelRows.tsx';

const checkAfterMs = 300;

export interface ExecuteDialogProps {
  namespace: string;
  flowId: string;
  onClose: () => void;
}

/** Asks for a flow's inputs and starts it. The server checks the inputs as they are typed. */
export function ExecuteDialog({ namespace, flowId, onClose }: ExecuteDialogProps) {
  const { t } = useTranslation();
  const { data: flow, error, refetch } = useQuery(flowQuery({ namespace, id: flowId }));
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('execute.title', { id: flowId })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {!flow && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {flow && <ExecuteForm flow={flow} onClose={onClose} />}
    </Modal>
  );
}

type LoadedFlow = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof flowQuery>['queryFn']>>>>;

function ExecuteForm({ flow, onClose }: { flow: LoadedFlow; onClose: () => void }) {
  const { t } = useTranslation();
  const inputs = flow.inputs ?? [];
  const [values, setValues] = useState<InputValues>(() => initialValues(inputs));
  const [labels, setLabels] = useState<Label[]>([]);
  const checks = useInputChecks(flow, values);
  const start = useStart(flow, onClose);

  const change = (id: string, value: InputValue) => {
    setValues((old) => ({ ...old, [id]: value }));
    start.reset();
  };
  const canStart = !flow.disabled && !labels.some(isHalfFilled);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canStart && !start.isPending) start.mutate({ values, labels });
  };

  return (
    <form
      className={styles.form}
      onSubmit={submit}
      noValidate
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
    >
      {flow.disabled && <p className={styles.warning}>{t('execute.disabled')}</p>}
      {usesTriggerBlindly(flow.source) && <p className={styles.warning}>{t('execute.triggerVariables')}</p>}
      {inputs.length === 0 && <p className={styles.none}>{t('execute.noInputs')}</p>}
      <InputFields inputs={inputs} values={values} checks={checks} failure={start.error} onChange={change} />
      <details className={styles.advanced}>
        <summary>{t('execute.advanced')}</summary>
        <div className={styles.group}>
          <span className={styles.groupTitle}>{t('flow.labels')}</span>
          <LabelRows labels={labels} onChange={setLabels} />
        </div>
      </details>
      {start.error && !isShownByField(start.error, inputs) && (
        <p className={styles.error} role="alert">
          {start.error.message}
        </p>
      )}
      <div className={styles.foot}>
        <span className={styles.hint}>
          <KeyHint keys="mod+Enter" /> {t('execute.hint')}
        </span>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button
          id="execute-submit"
          type="submit"
          loading={start.isPending}
          disabled={!canStart}
          leftSection={<IconBolt size={16} />}
        >
          {t('flow.execute')}
        </Button>
      </div>
    </form>
  );
}

function useInputChecks({ namespace, id, inputs = [] }: LoadedFlow, values: InputValues) {
  const [settled] = useDebouncedValue(values, checkAfterMs);
  const { data } = useQuery({
    queryKey: ['inputs', currentTenant(), namespace, id, fingerprint(settled)],
    queryFn: ({ signal }) =>
      call(executions.validateInputs, {
        params: { namespace, id },
        body: toFormData(settled),
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    enabled: inputs.length > 0,
    gcTime: 0,
  });
  return data?.inputs;
}

function useStart({ namespace, id }: LoadedFlow, onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ values, labels }: { values: InputValues; labels: Label[] }): Promise<Execution> =>
      call(executions.triggerExecution, {
        params: { namespace, id },
        query: {
          wait: false,
          labels: labels.filter(({ key }) => key).map(({ key, value }) => `${key}:${value}`),
        },
        body: toFormData(values),
        failures: 'handled',
      }),
    onSuccess: async (execution) => {
      client.setQueryData(executionQuery(execution.id).queryKey, execution);
      void client.invalidateQueries({ queryKey: ['executions'] });
      onClose();
      await navigate({
        to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
        params: { namespace, flowId: id, id: execution.id, tab: 'gantt' },
        search: {},
      });
    },
  });
}

/** `{{ trigger.x }}` has no value in a run started by hand; `{{ trigger.x ?? y }}` says what to use instead. */
const usesTriggerBlindly = (source = ''): boolean =>
  [...source.matchAll(/\{\{(.*?)\}\}/g)].some(
    ([, inside = '']) => /\btrigger\./.test(inside) && !inside.includes('??'),
  );
