import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconCopyPlus, IconDots, IconDownload, IconTrash } from '@tabler/icons-react';
import { saveText } from '../../../api/download.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { LinkMenuItem } from '../../../ui/menu/LinkMenuItem.tsx';
import type { FlowKey, FlowQueryData } from '../queries.ts';

interface FlowMenuProps extends FlowKey {
  /** Undefined until it is known. */
  flow: FlowQueryData | undefined;
  onDelete: () => void;
}

const icon = { size: 15, stroke: 1.7 };

/** The quieter actions of a flow's page. */
export function FlowMenu({ namespace, id, flow, onDelete }: FlowMenuProps) {
  const { t } = useTranslation();
  const source = flow?.source;
  const copySource = (text: string) =>
    void navigator.clipboard.writeText(text).then(() => showSuccess(t('flow.sourceCopied', { id })));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={t('flow.more', { id })}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkMenuItem
          to="/{-$tenant}/flows/new"
          search={{ copyOf: `${namespace}/${id}` }}
          leftSection={<IconCopyPlus {...icon} />}
        >
          {t('flow.duplicate')}
        </LinkMenuItem>
        <Menu.Item
          leftSection={<IconCopy {...icon} />}
          disabled={!source}
          onClick={() => source && copySource(source)}
        >
          {t('flow.copySource')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload {...icon} />}
          disabled={!source}
          onClick={() => source && saveText(source, `${namespace}.${id}.yaml`, 'application/yaml')}
        >
          {t('flow.exportSource')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--mr-danger)"
          leftSection={<IconTrash {...icon} />}
          onClick={onDelete}
          disabled={!flow || flow.deleted === true}
        >
          {t('action.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
