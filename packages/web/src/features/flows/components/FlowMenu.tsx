import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface FlowMenuProps {
  id: string;
  canDelete: boolean;
  onDelete: () => void;
}

/** The quieter actions of a flow's page. */
export function FlowMenu({ id, canDelete, onDelete }: FlowMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={t('flow.more', { id })}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} stroke={1.7} />}
          onClick={onDelete}
          disabled={!canDelete}
        >
          {t('action.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
