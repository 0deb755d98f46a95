import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Sidebar } from './Sidebar.tsx';

/** The sidebar of a phone. */
export function MenuDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      size={268}
      withCloseButton={false}
      padding={0}
      transitionProps={{ duration: 140 }}
      styles={{ body: { height: '100%' } }}
      aria-label={t('nav.label')}
    >
      <Sidebar collapsed={false} />
    </Drawer>
  );
}
