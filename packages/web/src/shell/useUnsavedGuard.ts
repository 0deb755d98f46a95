import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { confirm } from '../ui/confirm.ts';

/** Set when the session is lost: a question nobody can answer must not keep the login page away. */
let isSuspended = false;

export function suspendUnsavedGuards(): void {
  isSuspended = true;
}

export function resumeUnsavedGuards(): void {
  isSuspended = false;
}

/**
 * Asks before leaving a page with unsaved changes; the browser asks by itself when the tab is closed. `onLeave` puts
 * back what was saved last, so that nothing is unsaved any more. Another query is the same page, unless one of the
 * `parameters` differs, which then name what is edited.
 */
export function useUnsavedGuard(
  isDirty: () => boolean,
  onLeave: () => void,
  parameters: readonly string[] = [],
): void {
  const { t } = useTranslation();
  useBlocker({
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      const isElsewhere =
        current.pathname !== next.pathname ||
        parameters.some((name) => Reflect.get(current.search, name) !== Reflect.get(next.search, name));
      if (isSuspended || !isDirty() || !isElsewhere) return false;
      const leaves = await confirm({
        title: t('unsaved.title'),
        body: t('unsaved.text'),
        confirm: t('unsaved.leave'),
        cancel: t('unsaved.stay'),
        dangerous: true,
      });
      if (leaves) onLeave();
      return !leaves;
    },
  });
}
