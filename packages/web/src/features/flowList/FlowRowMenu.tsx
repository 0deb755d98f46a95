import { ActionIcon, Menu } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { IconDots, IconEdit, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LinkMenuItem } from '../../ui/LinkMenuItem.tsx';
import { useConfirmDelete } from '../flows/index.ts';

export function FlowRowMenu({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const confirmDelete = useConfirmDelete();
  const { namespace, id } = flow;
  return (
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
  );
}
