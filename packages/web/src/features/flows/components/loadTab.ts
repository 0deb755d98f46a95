import { loadMonaco } from '../../../ui/code/loadMonaco.ts';

/**
 * The two tabs that are mostly made of something large. It starts loading with the page, or with the pointer on the
 * tab, and not after what shows it.
 */
export const loadTab = {
  edit: () => {
    ignore(loadMonaco());
    return import('./FlowEditTab.tsx');
  },
  topology: () => import('../../topology/index.ts'),
};

/** Starts loading what a tab needs, if that is much. */
export function beginTab(tab: string | undefined): void {
  if (tab === 'edit' || tab === 'topology') ignore(loadTab[tab]());
}

/** Whoever shows it says so when it cannot be loaded. */
function ignore(loading: Promise<unknown>): void {
  loading.catch(() => undefined);
}
