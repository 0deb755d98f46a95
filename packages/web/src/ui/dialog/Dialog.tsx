import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';

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

/**
 * Moves the focus into the dialog it stands in, to the element marked with `data-autofocus`, and gives it back when the
 * dialog goes. The library moves it in a later task, so that letters typed at once are lost or act on the page below, and
 * gives it back only for dialogs that stay mounted while they are closed.
 */
export function DialogFocus() {
  const [opener] = useState(findOpener);
  const here = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const dialog = here.current?.closest('[role=dialog]');
    if (!dialog || dialog.contains(document.activeElement)) return;
    dialog.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)')?.focus({ preventScroll: true });
  }, []);
  useEffect(
    () => () => {
      // What the dialog did may have moved the focus, and its opener may be gone.
      if (document.activeElement !== document.body || !(opener instanceof HTMLElement)) return;
      if (opener.isConnected) opener.focus({ preventScroll: true });
    },
    [opener],
  );
  return <span ref={here} hidden />;
}

/** The element that has the focus; for an entry of a menu, which goes with its menu, the button of the menu. */
function findOpener(): Element | null {
  const focused = document.activeElement;
  const buttonId = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (buttonId ? document.getElementById(buttonId) : null) ?? focused;
}

const fields =
  'input:not([type=hidden], [type=file], [aria-haspopup]), textarea, [contenteditable=true], [role=switch]';

/**
 * Puts the focus where the work begins, once the form of a dialog is complete: on its first field, or on the button that
 * submits it. A form that has the focus already keeps it.
 */
export function useDialogFocus(isComplete: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isComplete || !form.current || form.current.contains(document.activeElement)) return;
    const isFirst = (field: Element) => !field.matches(':disabled') && !field.closest('details');
    const first =
      form.current.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)') ??
      [...form.current.querySelectorAll<HTMLElement>(fields)].find(isFirst) ??
      form.current.querySelector<HTMLElement>('[type=submit]:not(:disabled)');
    // The dialog moves the focus a moment after it opened, to what is marked so.
    first?.setAttribute('data-autofocus', 'true');
    first?.focus({ preventScroll: true });
  }, [isComplete]);
  return form;
}
