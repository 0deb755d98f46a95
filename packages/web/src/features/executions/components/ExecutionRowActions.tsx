import { ActionIcon, Menu } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconDots, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isKillable } from '../isKillable.ts';
import { useExecutionActions } from './useExecutionActions.ts';

export function ExecutionRowActions({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const { kill, remove } = useExecutionActions();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('execution.more', { id: execution.id })}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPlayerStop size={15} stroke={1.7} />}
          disabled={!isKillable(execution)}
          onClick={() => void kill([execution])}
        >
          {t('action.kill')}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} stroke={1.7} />}
          onClick={() => void remove([execution])}
        >
          {t('action.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
