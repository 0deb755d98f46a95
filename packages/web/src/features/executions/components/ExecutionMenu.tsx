import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LinkMenuItem } from '../../../ui/LinkMenuItem.tsx';

interface ExecutionMenuProps {
  namespace: string;
  flowId: string;
  id: string;
  canDelete: boolean;
  onDelete: () => void;
}

/** The quieter actions of an execution's page. */
export function ExecutionMenu({ namespace, flowId, id, canDelete, onDelete }: ExecutionMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={t('execution.more', { id })}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkMenuItem
          to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
          params={{ namespace, id: flowId, tab: 'edit' }}
          search={{}}
          leftSection={<IconPencil size={15} stroke={1.7} />}
        >
          {t('flow.edit')}
        </LinkMenuItem>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} stroke={1.7} />}
          disabled={!canDelete}
          onClick={onDelete}
        >
          {t('action.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
