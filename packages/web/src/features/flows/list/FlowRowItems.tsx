import { Menu } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { LinkMenuItem } from '../../../ui/menu/LinkMenuItem.tsx';
import { useConfirmDelete } from '../index.ts';

export function FlowRowItems({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const confirmDelete = useConfirmDelete();
  const { namespace, id } = flow;
  return (
    <>
      <LinkMenuItem
        to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
        params={{ namespace, id, tab: 'edit' }}
        search={{}}
        leftSection={<IconEdit size={15} stroke={1.7} />}
      >
        {t('flow.edit')}
      </LinkMenuItem>
      <Menu.Item
        color="var(--mr-danger)"
        leftSection={<IconTrash size={15} stroke={1.7} />}
        onClick={() => void confirmDelete(flow)}
      >
        {t('action.delete')}
      </Menu.Item>
    </>
  );
}
