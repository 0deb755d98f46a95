import { Drawer } from '@mantine/core';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DialogFocus } from '../../ui/dialog/Dialog.tsx';
import { Sidebar } from './Sidebar.tsx';

/** The sidebar of a phone. */
export function MenuDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened onClose={onClose} size={268} padding={0} transitionProps={{ duration: 140 }}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('nav.label')}>
        <Drawer.Body h="100%">
          <DialogFocus />
          <Sidebar collapsed={false} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
