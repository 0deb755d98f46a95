import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Execution, executions, type Label } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { KeyHint } from '../../../ui/index.ts';
import { type FlowQueryData, listFlowDrafts } from '../../flows/index.ts';
import {
  fingerprint,
  type InputValue,
  type InputValues,
  initialValues,
  toFormData,
  valuesGiven,
} from '../inputValues.ts';
import { CurlCommand } from './CurlCommand.tsx';
import { InputFields, isShownByField } from './InputFields.tsx';
import { isHalfFilled, LabelRows } from './LabelRows.tsx';
import { useStart } from './useStart.ts';

// The calendar is large, and few executions are planned.
const ScheduleField = lazy(() =>
  import('./ScheduleField.tsx').then((module) => ({ default: module.ScheduleField })),
);

const checkAfterMs = 300;

interface ExecuteFormProps {
  flow: FlowQueryData;
  like: Execution | undefined;
  /** The saved revision to run in spite of changes that are not saved. */
  revision?: number | undefined;
  onClose: () => void;
}

export function ExecuteForm({ flow, like, revision, onClose }: ExecuteFormProps) {
  const { t } = useTranslation();
  const inputs = flow.inputs ?? [];
  const [values, setValues] = useState<InputValues>(() => initialValues(inputs));
  const [labels, setLabels] = useState<Label[]>([]);
  const [scheduleDate, setScheduleDate] = useState<string>();
  const [isAdvanced, setAdvanced] = useState(false);
  const checks = useInputChecks(flow, values);
  const start = useStart(flow, onClose);
  const [hasDraft] = useState(() => listFlowDrafts(flow).some(({ source }) => source !== flow.source));

  const change = (id: string, value: InputValue) => {
    setValues((old) => ({ ...old, [id]: value }));
    start.reset();
  };
  const canStart = !flow.disabled && !labels.some(isHalfFilled);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canStart && !start.isPending) start.mutate({ values, labels, scheduleDate, revision });
  };
  const prefill = ({ inputs: given, labels: set }: Execution) => {
    setValues(valuesGiven(inputs, given));
    // The product's own labels belong to that run.
    setLabels(set.filter(({ key }) => !key.startsWith('system.')));
    start.reset();
  };

  return (
    <form
      className={styles.form}
      onSubmit={submit}
      noValidate
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
    >
      {flow.disabled && <p className={styles.warning}>{t('execute.disabled')}</p>}
      {(hasDraft || revision !== undefined) && (
        <p className={styles.warning}>{t('execute.withoutDraft', { revision: revision ?? flow.revision })}</p>
      )}
      {usesTriggerBlindly(flow.source) && <p className={styles.warning}>{t('execute.triggerVariables')}</p>}
      {inputs.length === 0 && <p className={styles.none}>{t('execute.noInputs')}</p>}
      <InputFields inputs={inputs} values={values} checks={checks} failure={start.error} onChange={change} />
      <details
        className={styles.advanced}
        open={isAdvanced || labels.length > 0}
        onToggle={(event) => setAdvanced(event.currentTarget.open)}
      >
        <summary>{t('execute.advanced')}</summary>
        <div className={styles.group}>
          <span className={styles.groupTitle}>{t('flow.labels')}</span>
          <LabelRows labels={labels} onChange={setLabels} />
        </div>
        {isAdvanced && (
          <Suspense>
            <ScheduleField onChange={setScheduleDate} />
          </Suspense>
        )}
      </details>
      <details className={styles.advanced}>
        <summary>{t('execute.curl')}</summary>
        <CurlCommand flow={flow} values={values} labels={labels} scheduleDate={scheduleDate} />
      </details>
      {start.error && !isShownByField(start.error, inputs) && (
        <p className={styles.error} role="alert">
          {start.error.message}
        </p>
      )}
      <div className={styles.foot}>
        {like ? (
          <Button variant="subtle" mr="auto" onClick={() => prefill(like)}>
            {t('execute.prefill')}
          </Button>
        ) : (
          <span className={styles.hint}>
            <KeyHint keys="mod+Enter" /> {t('execute.hint')}
          </span>
        )}
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

function useInputChecks({ namespace, id, inputs = [] }: FlowQueryData, values: InputValues) {
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

/** `{{ trigger.x }}` has no value in a run started by hand; `{{ trigger.x ?? y }}` says what to use instead. */
const usesTriggerBlindly = (source = ''): boolean =>
  [...source.matchAll(/\{\{(.*?)\}\}/g)].some(
    ([, inside = '']) => /\btrigger\./.test(inside) && !inside.includes('??'),
  );
