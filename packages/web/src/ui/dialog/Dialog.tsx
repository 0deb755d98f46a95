import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DialogFocus } from './DialogFocus.tsx';

type DialogProps = Omit<ModalProps, 'opened' | 'closeButtonProps'>;

/** A dialog over the page. It is open as long as it is rendered. */
export function Dialog({ children, ...props }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened {...props} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <DialogFocus />
      {children}
    </Modal>
  );
}

/** A dialog at the right edge of the page. It is open as long as it is rendered. */
export function SideDialog({ children, ...props }: Omit<DrawerProps, 'opened' | 'closeButtonProps'>) {
  const { t } = useTranslation();
  return (
    <Drawer opened position="right" {...props} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <DialogFocus />
      {children}
    </Drawer>
  );
}
