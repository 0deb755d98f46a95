import { useEffect, useLayoutEffect, useRef, useState } from 'react';

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
