import { beginMonaco } from '../../../ui/code/loadMonaco.ts';

/**
 * The two tabs that are mostly made of something large. It starts loading with the page, or with the pointer on the
 * tab, and not after what shows it.
 */
export const loadTab = {
  edit: () => {
    beginMonaco();
    return import('./FlowEditTab.tsx');
  },
  topology: () => import('../../topology/index.ts'),
};

/** Starts loading what a tab needs, if that is much. */
export function beginTab(tab: string | undefined): void {
  // Whoever shows it says so when it cannot be loaded.
  if (tab === 'edit' || tab === 'topology') loadTab[tab]().catch(() => undefined);
}
