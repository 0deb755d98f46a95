import { beginMonaco } from '../../../ui/code/loadMonaco.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';

// The two tabs that are mostly made of something large. It starts loading with the page and not after what shows it.
export const FlowEditTab = lazyPart(() => {
  beginMonaco();
  return import('./FlowEditTab.tsx').then((module) => module.FlowEditTab);
});
export const Topology = lazyPart(() => import('../../topology/index.ts').then((module) => module.Topology));

/** Loads what a tab needs, if that is much. */
export async function beginTab(tab: string | undefined): Promise<unknown> {
  if (tab === 'edit') return FlowEditTab.load();
  return tab === 'topology' ? Topology.load() : undefined;
}
