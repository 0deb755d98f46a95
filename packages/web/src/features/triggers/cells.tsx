import { Switch } from '@mantine/core';
import { type Trigger, type TriggerWithDefinition, triggers } from '@millrace/contract';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { DateAgo, WarningIcon } from '../../ui/index.ts';
import { useTriggerAction } from './queries.ts';

/** Switches a trigger on and off. Without its definition, or what it remembers, there is nothing to switch. */
export function TriggerSwitch({ trigger }: { trigger: TriggerWithDefinition }) {
  const { t } = useTranslation();
  const action = useTriggerAction();
  const { abstractTrigger, triggerContext } = trigger;
  const { namespace, flowId, triggerId, disabled, exception } = triggerContext;
  if (exception !== undefined) return <WarningIcon label={exception} />;
  if (!abstractTrigger) return <WarningIcon label={t('trigger.gone')} />;
  const isOffInSource = abstractTrigger.disabled === true;
  return (
    <Hint label={t('trigger.offInSource')} disabled={!isOffInSource} multiline maw={260}>
      <Switch
        size="xs"
        checked={!disabled && !isOffInSource}
        disabled={isOffInSource || action.isPending}
        aria-label={t('trigger.enable', { id: triggerId })}
        onChange={(event) => {
          const isOn = event.currentTarget.checked;
          action.mutate({
            act: () =>
              call(triggers.updateTrigger, { body: { namespace, flowId, triggerId, disabled: !isOn } }),
            done: t(isOn ? 'trigger.enabledNow' : 'trigger.disabledNow', { id: triggerId }),
          });
        }}
      />
    </Hint>
  );
}

/** The next date of a trigger. During a backfill its row holds a date of the past, and the schedule waits. */
export const nextDateOf = ({ nextExecutionDate, backfill }: Trigger): string | undefined =>
  backfill ? backfill.previousNextExecutionDate : nextExecutionDate;

/** When a trigger runs next; nothing when no date is known. */
export function NextRun({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation();
  const next = nextDateOf(trigger);
  if (trigger.backfill && (next === undefined || Date.parse(next) <= Date.now()))
    return (
      <Hint label={t('trigger.datesState.backfill')}>
        <span>{t('trigger.afterBackfill')}</span>
      </Hint>
    );
  return next === undefined ? null : <DateAgo value={next} />;
}
