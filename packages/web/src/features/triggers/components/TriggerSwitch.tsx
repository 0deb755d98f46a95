import { Switch, Tooltip } from '@mantine/core';
import { type TriggerWithDefinition, triggers } from '@millrace/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useTriggerAction } from '../queries.ts';
import styles from './triggers.module.css';

/** Switches a trigger on and off. Without its definition there is nothing to switch. */
export function TriggerSwitch({ trigger }: { trigger: TriggerWithDefinition }) {
  const { t } = useTranslation();
  const action = useTriggerAction();
  const { abstractTrigger, triggerContext } = trigger;
  const { namespace, flowId, triggerId, disabled } = triggerContext;
  if (!abstractTrigger) {
    return (
      <Tooltip label={t('trigger.gone')} multiline maw={260}>
        <span className={styles.gone} role="img" aria-label={t('trigger.gone')}>
          <IconAlertTriangle size={17} stroke={1.7} />
        </span>
      </Tooltip>
    );
  }
  const isOffInSource = abstractTrigger.disabled === true;
  return (
    <Tooltip label={t('trigger.offInSource')} disabled={!isOffInSource} multiline maw={260}>
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
    </Tooltip>
  );
}
