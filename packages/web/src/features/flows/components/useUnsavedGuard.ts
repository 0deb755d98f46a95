import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { confirm } from '../../../ui/index.ts';

/** Asks before leaving a page with unsaved changes; the browser asks by itself when the tab is closed. */
export function useUnsavedGuard(isDirty: () => boolean, onLeave: () => void): void {
  const { t } = useTranslation();
  useBlocker({
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty() || current.pathname === next.pathname) return false;
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
