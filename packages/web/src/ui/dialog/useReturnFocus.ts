import { useEffect, useState } from 'react';

/**
 * Gives the focus back to what had it before a dialog, when the dialog goes. The library does so only for dialogs that
 * stay mounted while they are closed.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // What the dialog did may have moved the focus, and its opener may be gone.
      if (document.activeElement !== document.body || !(opener instanceof HTMLElement)) return;
      if (opener.isConnected) opener.focus({ preventScroll: true });
    },
    [opener],
  );
}
