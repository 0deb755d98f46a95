import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { IconDots, IconEdit, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkMenuItem } from '../../../ui/index.ts';
import { ExecuteDialog } from '../../executions/index.ts';
import { useConfirmDelete } from './useConfirmDelete.ts';

export function FlowRowActions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const [isExecuting, setExecuting] = useState(false);
  const confirmDelete = useConfirmDelete();
  const { namespace, id } = flow;
  return (
    <>
      <Tooltip label={t('flow.execute')}>
        <ActionIcon
          onClick={() => setExecuting(true)}
          disabled={flow.disabled}
          aria-label={t('flow.executeNamed', { id })}
        >
          <IconPlayerPlay size={16} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('flow.more', { id })}>
            <IconDots size={16} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <LinkMenuItem
            to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
            params={{ namespace, id, tab: 'edit' }}
            search={{}}
            leftSection={<IconEdit size={15} stroke={1.7} />}
          >
            {t('flow.edit')}
          </LinkMenuItem>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={15} stroke={1.7} />}
            onClick={() => void confirmDelete(flow)}
          >
            {t('action.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isExecuting && <ExecuteDialog namespace={namespace} flowId={id} onClose={() => setExecuting(false)} />}
    </>
  );
}
