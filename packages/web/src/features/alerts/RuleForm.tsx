import { Autocomplete, Button, MultiSelect, NativeSelect, Select, Switch, TextInput } from '@mantine/core';
import {
  type AlertRule,
  alertGroupings,
  alertSeverities,
  alerts,
  terminalStates,
  weekdays,
} from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { SideDialog } from '../../ui/dialog/Dialog.tsx';
import form from '../../ui/dialog/DialogForm.module.css';
import { namespacesQuery, withParents } from '../flows/index.ts';
import styles from './alerts.module.css';
import { DeleteButton } from './buttons.tsx';
import { DurationField } from './DurationField.tsx';
import { channelsQuery } from './queries.ts';
import { draftOf, type RuleDraft, readDraft } from './ruleDraft.ts';

const conditions = ['state', 'sla', 'late', 'duration', 'failureRate', 'noRun'] as const;
const states = [...terminalStates, 'PAUSED', 'QUEUED'] as const;

interface RuleFormProps {
  /** The rule to change; without it a new one is made. */
  rule?: AlertRule;
  onClose: () => void;
}

export function RuleForm({ rule, onClose }: RuleFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [draft, setDraft] = useState(() =>
    draftOf(rule, Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
  );
  const [isSent, setSent] = useState(false);
  const change = (changes: Partial<RuleDraft>) => setDraft((old) => ({ ...old, ...changes }));
  const read = readDraft(draft);
  const errorOf = (field: keyof RuleDraft) =>
    isSent && 'wrong' in read && read.wrong.has(field) ? t(`alerts.problem.${problemOf(field)}`) : undefined;
  const saving = useMutation({
    mutationFn: (body: AlertRule) =>
      call(alerts.saveRule, { params: { id: body.id }, body, failures: 'handled' }),
    onSuccess: async ({ rule: { id } }) => {
      showSuccess(t('alerts.saved', { id }));
      onClose();
      await client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setSent(true);
    if ('rule' in read && !saving.isPending) saving.mutate(read.rule);
  };
  const field = (name: TextField, label: string, type: 'text' | 'time' = 'text') => (
    <TextInput
      type={type}
      label={label}
      value={draft[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      error={errorOf(name)}
    />
  );
  const time = (name: TextField, label: string, placeholder?: string) => (
    <DurationField
      key={name}
      label={label}
      value={draft[name]}
      placeholder={placeholder}
      onChange={(value) => change({ [name]: value })}
      error={errorOf(name)}
    />
  );
  return (
    <SideDialog onClose={onClose} title={rule ? t('alerts.editRule', { id: rule.id }) : t('alerts.newRule')}>
      <form className={form.form} onSubmit={submit} noValidate>
        <TextInput
          label={t('alerts.id')}
          value={draft.id}
          onChange={(event) => change({ id: event.currentTarget.value })}
          disabled={rule !== undefined}
          error={errorOf('id')}
          required
          data-autofocus={rule === undefined || undefined}
        />
        {field('description', t('flow.description'))}
        <Scope draft={draft} change={change} error={errorOf('flowId')} />
        <fieldset className={styles.group}>
          <legend>{t('alerts.when')}</legend>
          <NativeSelect
            aria-label={t('alerts.when')}
            value={draft.type}
            onChange={(event) => change({ type: pick(conditions, event.currentTarget.value) })}
            data={conditions.map((value) => ({ value, label: t(`alerts.conditions.${value}`) }))}
          />
          {draft.type === 'state' && (
            <MultiSelect
              label={t('alerts.field.states')}
              data={states.map((value) => ({ value, label: t(`state.${value}`) }))}
              value={[...draft.states]}
              onChange={(next) => change({ states: next })}
              error={errorOf('states')}
            />
          )}
          {draft.type === 'late' && time('after', t('alerts.field.after'))}
          {draft.type === 'duration' && (
            <div className={styles.pair}>
              {field('factor', t('alerts.field.factor'))}
              {time('atLeast', t('alerts.field.atLeast'))}
            </div>
          )}
          {draft.type === 'failureRate' && (
            <>
              <div className={styles.pair}>
                {field('percent', t('alerts.field.percent'))}
                {time('window', t('alerts.field.window'))}
              </div>
              {field('minExecutions', t('alerts.field.minExecutions'))}
            </>
          )}
          {draft.type === 'noRun' && time('for', t('alerts.field.for'))}
        </fieldset>
        <Channels draft={draft} change={change} error={errorOf('channels')} />
        <div className={styles.pair}>
          <NativeSelect
            label={t('alerts.field.severity')}
            value={draft.severity}
            onChange={(event) => change({ severity: pick(alertSeverities, event.currentTarget.value) })}
            data={alertSeverities.map((value) => ({ value, label: t(`alerts.severity.${value}`) }))}
          />
          <NativeSelect
            label={t('alerts.field.groupBy')}
            value={draft.groupBy}
            onChange={(event) => change({ groupBy: pick(alertGroupings, event.currentTarget.value) })}
            data={alertGroupings.map((value) => ({ value, label: t(`alerts.grouping.${value}`) }))}
          />
        </div>
        <div className={styles.pair}>
          {time('groupWait', t('alerts.field.groupWait'))}
          {time('repeatEvery', t('alerts.field.repeatEvery'), t('alerts.never'))}
        </div>
        <Switch
          label={t('alerts.field.recovery')}
          checked={draft.recovery}
          onChange={(event) => change({ recovery: event.currentTarget.checked })}
        />
        <Switch
          label={t('alerts.field.quiet')}
          checked={draft.quiet}
          onChange={(event) => change({ quiet: event.currentTarget.checked })}
        />
        {draft.quiet && (
          <fieldset className={styles.group}>
            <legend>{t('alerts.field.quiet')}</legend>
            <div className={styles.pair}>
              {field('quietFrom', t('alerts.field.from'), 'time')}
              {field('quietTo', t('alerts.field.to'), 'time')}
            </div>
            <Select
              label={t('alerts.field.timeZone')}
              data={[...new Set(['UTC', draft.timeZone, ...Intl.supportedValuesOf('timeZone')])]}
              value={draft.timeZone}
              onChange={(next) => change({ timeZone: next ?? 'UTC' })}
              searchable
              limit={50}
            />
            <MultiSelect
              label={t('alerts.field.days')}
              placeholder={draft.days.length === 0 ? t('alerts.everyDay') : ''}
              data={weekdays.map((value, index) => ({ value, label: dayName(index) }))}
              value={[...draft.days]}
              onChange={(next) => change({ days: next })}
            />
          </fieldset>
        )}
        {saving.error && (
          <p className={form.error} role="alert">
            {saving.error.message}
          </p>
        )}
        <div className={form.foot}>
          {rule && (
            <DeleteButton
              title={t('alerts.deleteRule', { id: rule.id })}
              consequence={t('alerts.deleteRuleText')}
              remove={() => call(alerts.deleteRule, { params: { id: rule.id } })}
              onDone={onClose}
            />
          )}
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={isSent && 'wrong' in read}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </SideDialog>
  );
}

type TextField = {
  [Name in keyof RuleDraft]: RuleDraft[Name] extends string
    ? string extends RuleDraft[Name]
      ? Name
      : never
    : never;
}[keyof RuleDraft];

interface PartProps {
  draft: RuleDraft;
  change: (changes: Partial<RuleDraft>) => void;
  error: string | undefined;
}

function Scope({ draft, change, error }: PartProps) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(namespacesQuery());
  return (
    <div className={styles.pair}>
      <Autocomplete
        label={t('flow.namespace')}
        placeholder={t('alerts.everywhere')}
        data={[...new Set(data.flatMap(withParents))].sort()}
        value={draft.namespace}
        onChange={(namespace) => change({ namespace })}
        limit={100}
      />
      <TextInput
        label={t('alerts.field.flow')}
        placeholder={t('alerts.allFlows')}
        value={draft.flowId}
        onChange={(event) => change({ flowId: event.currentTarget.value })}
        error={error}
      />
    </div>
  );
}

function Channels({ draft, change, error }: PartProps) {
  const { t } = useTranslation();
  const { data } = useQuery(channelsQuery());
  const known = data?.results.map(({ channel }) => channel.id) ?? [];
  return (
    <MultiSelect
      label={t('alerts.tab.channels')}
      data={[...new Set([...known, ...draft.channels])]}
      value={[...draft.channels]}
      onChange={(channels) => change({ channels })}
      error={error}
      {...(known.length === 0 && { description: t('alerts.noChannelsText') })}
      required
    />
  );
}

const numbers = new Set<keyof RuleDraft>(['factor', 'percent', 'minExecutions']);

function problemOf(field: keyof RuleDraft) {
  if (field === 'id' || field === 'channels' || field === 'states') return field;
  if (field === 'flowId') return 'namespace';
  if (field === 'quietFrom' || field === 'quietTo') return 'time';
  return numbers.has(field) ? 'number' : 'duration';
}

const pick = <const T extends string>(from: readonly T[], value: string): T =>
  from.find((one) => one === value) ?? (from[0] as T); // `as`: the lists are not empty.

/** The name of a weekday in the user's language; January 5, 1970 was a Monday. */
const dayName = (index: number): string =>
  new Intl.DateTimeFormat(document.documentElement.lang || 'en', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, 0, 5 + index)),
  );
