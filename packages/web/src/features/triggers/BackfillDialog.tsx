import '@mantine/dates/styles.layer.css';
import { SegmentedControl, Select } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { type Label, type Trigger, triggers } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { localToInstant } from '../../format/timeZone.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import styles from '../../ui/dialog/DialogForm.module.css';
import { rangePresets } from '../../ui/index.ts';
import {
  InputFields,
  type InputValues,
  initialValues,
  isHalfFilled,
  LabelRows,
} from '../executions/index.ts';
import { flowQuery } from '../flows/index.ts';
import { useTriggerAction } from './queries.ts';
import own from './triggers.module.css';

interface BackfillDialogProps {
  trigger: Trigger;
  onClose: () => void;
}

/** Runs the dates of a schedule again, from a start up to an end or to now. */
export function BackfillDialog({ trigger, onClose }: BackfillDialogProps) {
  const { t } = useTranslation();
  const { namespace, flowId, triggerId } = trigger;
  const { data: flow } = useQuery(flowQuery({ namespace, id: flowId }));
  const [mode, setMode] = useState<'relative' | 'absolute'>('absolute');
  const [since, setSince] = useState<string | null>(null);
  const [start, setStart] = useState<string | null>(null);
  const [end, setEnd] = useState<string | null>(null);
  const [given, setGiven] = useState<InputValues>({});
  const [labels, setLabels] = useState<Label[]>([]);
  const action = useTriggerAction();
  const inputs = flow?.inputs ?? [];
  const values = { ...initialValues(inputs), ...given };
  const missing = inputs.filter(
    ({ id, required, defaults }) =>
      required !== false && defaults === undefined && (values[id] === undefined || values[id] === ''),
  );
  const isReversed = start !== null && end !== null && start >= end;
  const isFuture = start !== null && Date.parse(localToInstant(start)) > Date.now();
  const hasStart = mode === 'relative' ? since !== null : start !== null && !isReversed && !isFuture;
  const bounds = (): { start: string; end?: string } =>
    mode === 'relative'
      ? { start: new Date(Date.now() - (parseIsoDuration(since ?? '') ?? 0)).toISOString() }
      : { start: localToInstant(start ?? ''), ...(end !== null && { end: localToInstant(end) }) };
  const submit = () =>
    action.mutate(
      {
        act: () =>
          call(triggers.updateTrigger, {
            body: {
              namespace,
              flowId,
              triggerId,
              backfill: {
                ...bounds(),
                ...(inputs.length > 0 && { inputs: plainValues(values) }),
                ...(labels.length > 0 && { labels: labels.filter(({ key }) => key !== '') }),
              },
            },
            failures: 'handled',
          }),
        done: t('backfill.started', { id: triggerId }),
      },
      { onSuccess: onClose },
    );
  return (
    <ActionDialog
      title={t('backfill.title', { id: triggerId })}
      confirm={t('backfill.run')}
      canConfirm={hasStart && missing.length === 0 && !labels.some(isHalfFilled)}
      isPending={action.isPending}
      error={action.error}
      onConfirm={submit}
      onClose={onClose}
    >
      <p className={styles.text}>{t('backfill.text')}</p>
      <SegmentedControl
        value={mode}
        onChange={(next) => setMode(next as typeof mode)} // One of the two values below.
        data={[
          { value: 'absolute', label: t('backfill.absolute') },
          { value: 'relative', label: t('backfill.relative') },
        ]}
      />
      {mode === 'relative' ? (
        <Select
          label={t('backfill.since')}
          data={rangePresets.map((value) => ({ value, label: t(`range.${value}`) }))}
          value={since}
          onChange={setSince}
          required
        />
      ) : (
        <div className={own.dates}>
          <DateTimePicker
            label={t('backfill.from')}
            value={start}
            onChange={setStart}
            required
            clearable
            error={isFuture && t('backfill.future')}
          />
          <DateTimePicker
            label={t('backfill.to')}
            description={t('backfill.toText')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={end}
            onChange={setEnd}
            clearable
            error={isReversed && t('filter.reversed')}
          />
        </div>
      )}
      <InputFields
        inputs={inputs}
        values={values}
        checks={undefined}
        failure={action.error}
        onChange={(id, value) => setGiven((old) => ({ ...old, [id]: value }))}
      />
      <details className={styles.advanced}>
        <summary>{t('flow.labels')}</summary>
        <div className={styles.group}>
          <LabelRows labels={labels} onChange={setLabels} />
        </div>
      </details>
    </ActionDialog>
  );
}

/** Files cannot be kept for later runs, and what is empty was not given. */
const plainValues = (values: InputValues): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== '' && !(value instanceof File),
    ),
  );
