import { type RefObject, useEffect, useRef } from 'react';

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
