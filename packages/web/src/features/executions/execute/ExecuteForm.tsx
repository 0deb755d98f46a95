import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Execution, executions, type Label } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense, type SyntheticEvent, useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { executionQuery } from '../../../api/follow.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { readSetting } from '../../../storage/settings.ts';
import { useDialogFocus } from '../../../ui/dialog/Dialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { KeyHint } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { type FlowKey, type FlowQueryData, listFlowDrafts } from '../../flows/index.ts';
import { nextStep, tourIndex } from '../../tour/index.ts';
import { InputFields, isShownByField } from '../inputs/InputFields.tsx';
import {
  fingerprint,
  type InputValue,
  type InputValues,
  initialValues,
  toFormData,
  valuesGiven,
} from '../inputs/inputValues.ts';
import { applyValues, InputSetMenu, type KeptValues, keepLastInputs, keptValues } from './InputSetMenu.tsx';
import { isHalfFilled, LabelRows } from './LabelRows.tsx';
import { StartCommands } from './StartCommands.tsx';

// The calendar is large, and few executions are planned.
const ScheduleField = lazyPart(() => import('./ScheduleField.tsx'), 'ScheduleField');

const checkAfterMs = 300;

interface ExecuteFormProps {
  flow: FlowQueryData;
  like: Execution | undefined;
  /** The saved revision to run in spite of changes that are not saved. */
  revision?: number | undefined;
  /** Values that a link brought. */
  given?: KeptValues | undefined;
  onClose: () => void;
}

export function ExecuteForm({ flow, like, revision, given, onClose }: ExecuteFormProps) {
  const { t } = useTranslation();
  const inputs = flow.inputs ?? [];
  const [values, setValues] = useState<InputValues>(() =>
    applyValues(inputs, initialValues(inputs), given ?? {}),
  );
  const [labels, setLabels] = useState<Label[]>([]);
  const [scheduleDate, setScheduleDate] = useState<string>();
  const [isAdvanced, setAdvanced] = useState(false);
  const form = useDialogFocus(true);
  const checked = useInputChecks(flow, values);
  const failedChecks = checked?.checks ?? [];
  const start = useStart(flow, onClose);
  const { error: refusal } = start;
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal, form]);
  const [hasDraft] = useState(() => listFlowDrafts(flow).some(({ source }) => source !== flow.source));

  const change = (id: string, value: InputValue) => {
    setValues((old) => ({ ...old, [id]: value }));
    start.reset();
  };
  const isBlocked = failedChecks.some(({ behavior }) => behavior === 'BLOCK_EXECUTION');
  const canStart = !flow.disabled && !isBlocked && !labels.some(isHalfFilled);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!canStart || start.isPending) return;
    keepLastInputs(flow, keptValues(inputs, values));
    start.mutate({ values, labels, scheduleDate, revision });
  };
  const prefill = ({ inputs: given, labels: set }: Execution) => {
    setValues(valuesGiven(inputs, given));
    // The product's own labels belong to that run.
    setLabels(set.filter(({ key }) => !key.startsWith('system.')));
    start.reset();
  };

  return (
    <form
      ref={form}
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
      {inputs.length > 0 && (
        <div>
          <InputSetMenu
            flow={flow}
            values={values}
            onApply={(set) => {
              setValues((old) => applyValues(inputs, old, set));
              start.reset();
            }}
          />
        </div>
      )}
      {inputs.length === 0 && <p className={styles.none}>{t('execute.noInputs')}</p>}
      <InputFields
        inputs={inputs}
        values={values}
        checks={checked?.inputs}
        failure={start.error}
        onChange={change}
      />
      {failedChecks.map(({ message, style }) => (
        <p key={`${style} ${message}`} className={checkStyles[style]} role="status">
          {message}
        </p>
      ))}
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
      <details
        className={styles.advanced}
        // The last part of a long form would open out of sight.
        onToggle={(event) =>
          event.currentTarget.open && event.currentTarget.scrollIntoView({ block: 'nearest' })
        }
      >
        <summary>{t('execute.commands')}</summary>
        <StartCommands flow={flow} values={values} labels={labels} scheduleDate={scheduleDate} />
      </details>
      {start.error && !isBlocked && !isShownByField(start.error, inputs) && (
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

const checkStyles = {
  ERROR: styles.error,
  WARNING: styles.warning,
  INFO: styles.info,
  SUCCESS: styles.success,
};

function useInputChecks({ namespace, id, inputs = [], checks = [] }: FlowQueryData, values: InputValues) {
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
    enabled: inputs.length > 0 || checks.length > 0,
    gcTime: 0,
  });
  return data;
}

/** `{{ trigger.x }}` has no value in a manual execution; `{{ trigger.x ?? y }}` says what to use instead. */
export const usesTriggerBlindly = (source = ''): boolean =>
  [...source.replace(triggersSection, '').matchAll(/\{\{(.*?)\}\}/g)].some(
    ([, inside = '']) => /\btrigger\./.test(inside) && !inside.includes('??'),
  );

/** Only a trigger reads it, so its variables always have a value there. */
const triggersSection = /^triggers:.*(?:\n(?![A-Za-z]).*)*/m;

interface Start {
  values: InputValues;
  labels: readonly Label[];
  /** The moment to start at, instead of now. */
  scheduleDate: string | undefined;
  /** The latest one unless given. */
  revision: number | undefined;
}

/** Starts a flow and opens its execution, in this tab or a new one as the settings say. */
export function useStart({ namespace, id }: FlowKey, onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  return useMutation({
    mutationFn: ({ values, labels, scheduleDate, revision }: Start): Promise<Execution> =>
      call(executions.triggerExecution, {
        params: { namespace, id },
        query: {
          wait: false,
          labels: labels.filter(({ key }) => key).map(({ key, value }) => `${key}:${value}`),
          scheduleDate,
          revision,
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
