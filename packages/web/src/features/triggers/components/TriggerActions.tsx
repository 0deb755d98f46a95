import { ActionIcon, Menu } from '@mantine/core';
import { type TriggerWithDefinition, triggers } from '@millrace/contract';
import { IconDots, IconLockOpen, IconRotateClockwise, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { confirm } from '../../../ui/index.ts';
import { useTriggerAction } from '../queries.ts';

/** What can be done to one trigger beyond switching it. Each is asked for first. */
export function TriggerActions({ trigger }: { trigger: TriggerWithDefinition }) {
  const { t } = useTranslation();
  const action = useTriggerAction();
  const { namespace, flowId, triggerId, executionId, evaluateRunningDate } = trigger.triggerContext;
  const params = { namespace, flowId, triggerId };
  const isLocked = executionId !== undefined || evaluateRunningDate !== undefined;
  const ask = async (name: 'unlock' | 'restart' | 'delete', act: () => Promise<unknown>) => {
    const agreed = await confirm({
      title: t(`triggerAction.${name}.title`, { id: triggerId }),
      body: t(`triggerAction.${name}.text`),
      confirm: t(`triggerAction.${name}.name`),
      cancel: t('action.cancel'),
      dangerous: name !== 'restart',
    });
    if (agreed) action.mutate({ act, done: t(`triggerAction.${name}.done`, { id: triggerId }) });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('trigger.more', { id: triggerId })}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLockOpen size={15} stroke={1.7} />}
          disabled={!isLocked}
          onClick={() => void ask('unlock', () => call(triggers.unlockTrigger, { params }))}
        >
          {t('triggerAction.unlock.name')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRotateClockwise size={15} stroke={1.7} />}
          onClick={() => void ask('restart', () => call(triggers.restartTrigger, { params }))}
        >
          {t('triggerAction.restart.name')}
        </Menu.Item>
        <Menu.Item
          color="var(--mr-danger)"
          leftSection={<IconTrash size={15} stroke={1.7} />}
          onClick={() => void ask('delete', () => call(triggers.deleteTrigger, { params }))}
        >
          {t('triggerAction.delete.name')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
