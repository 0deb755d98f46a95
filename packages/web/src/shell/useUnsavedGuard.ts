import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { confirm } from '../ui/confirm/confirm.ts';

/** Set when the session expired: an unsaved-changes question must not block the login page. */
let isSuspended = false;

export function suspendUnsavedGuards(): void {
  isSuspended = true;
}

export function resumeUnsavedGuards(): void {
  isSuspended = false;
}

const guards = new Set<() => Promise<boolean>>();

/** For what cannot be taken back once it has begun to leave the page: false when the user would rather stay. */
export async function mayLeaveUnsaved(): Promise<boolean> {
  for (const mayLeave of [...guards]) if (!(await mayLeave())) return false;
  return true;
}

/**
 * Asks before leaving a page with unsaved changes; the browser asks by itself when the tab is closed. `onLeave` puts
 * back what was saved last, so that nothing is unsaved any more. Another query is the same page, unless one of the
 * `parameters` differs, which then name what is edited. `text` says what becomes of the changes.
 */
export function useUnsavedGuard(
  isDirty: () => boolean,
  onLeave: () => void,
  {
    parameters = [],
    text,
  }: { readonly parameters?: readonly string[]; readonly text?: string | undefined } = {},
): void {
  const { t } = useTranslation();
  const mayLeave = async () => {
    if (isSuspended || !isDirty()) return true;
    const leaves = await confirm({
      title: t('unsaved.title'),
      body: text ?? t('unsaved.text'),
      confirm: t('unsaved.leave'),
      cancel: t('unsaved.stay'),
      dangerous: true,
    });
    if (leaves) onLeave();
    return leaves;
  };
  useEffect(() => {
    guards.add(mayLeave);
    return () => void guards.delete(mayLeave);
  });
  useBlocker({
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      const isElsewhere =
        current.pathname !== next.pathname ||
        parameters.some((name) => Reflect.get(current.search, name) !== Reflect.get(next.search, name));
      return isElsewhere && !(await mayLeave());
    },
  });
}
