import { Button, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Execution, executions, type Label } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { executionQuery } from '../../../api/followExecution.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { readSetting } from '../../../storage/settings.ts';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { BrokenPart, KeyHint, Loading } from '../../../ui/index.ts';
import { flowQuery } from '../../flows/index.ts';
import { nextStep, tourIndex, useTour } from '../../tour/index.ts';
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
  const isTour = useTourHold(onClose);
  return (
    <Modal
      opened
      onClose={isTour ? () => {} : onClose}
      withCloseButton={!isTour}
      title={t('execute.title', { id: flowId })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {!flow && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {flow && <ExecuteForm flow={flow} onClose={onClose} />}
    </Modal>
  );
}

/** The tour explains the dialog: it stays open until its button is clicked, or the tour goes a step back. */
function useTourHold(onClose: () => void): boolean {
  const { index } = useTour();
  const before = useRef(index);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (before.current === 5 && index === 4) close();
    before.current = index;
  }, [index]);
  return index >= 0;
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
  const router = useRouter();
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
      const isTour = tourIndex() >= 0;
      const tab = isTour ? 'gantt' : readSetting('executionTab');
      const target = {
        to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
        params: { namespace, flowId: id, id: execution.id, tab: tab === 'overview' ? undefined : tab },
        search: {},
      } as const;
      if (!isTour && readSetting('executeIn') === 'new tab')
        window.open(router.buildLocation(target).publicHref, '_blank', 'noopener');
      else await navigate(target);
      if (isTour) nextStep();
    },
  });
}

/** `{{ trigger.x }}` has no value in a run started by hand; `{{ trigger.x ?? y }}` says what to use instead. */
const usesTriggerBlindly = (source = ''): boolean =>
  [...source.matchAll(/\{\{(.*?)\}\}/g)].some(
    ([, inside = '']) => /\btrigger\./.test(inside) && !inside.includes('??'),
  );
