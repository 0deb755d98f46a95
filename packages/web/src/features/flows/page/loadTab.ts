import type { QueryClient } from '@tanstack/react-query';
import { preloadMonaco } from '../../../ui/code/loadMonaco.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { type FlowKey, flowGraph, flowQuery } from '../queries.ts';

// The two tabs that are mostly made of something large. It starts loading with the page and not after what shows it.
export const FlowEditTab = lazyPart(() => {
  preloadMonaco();
  return import('../edit/FlowEditTab.tsx');
}, 'FlowEditTab');
export const Topology = lazyPart(() => import('../../topology/index.ts'), 'Topology');

/** Loads what a tab needs, if that is much. */
export async function preloadTab(tab: string | undefined): Promise<unknown> {
  if (tab === 'edit') return FlowEditTab.load();
  return tab === 'topology' ? Topology.load() : undefined;
}

/** Asks for what the graph shows: the flow's own, and the icons of its tasks. Drawn later, each would draw it again. */
export async function preloadGraph(client: QueryClient, key: FlowKey): Promise<unknown> {
  const icons = import('../../topology/index.ts').then(({ pluginIconsQuery }) =>
    client.prefetchQuery(pluginIconsQuery),
  );
  await client.prefetchQuery(flowQuery(key));
  const flow = client.getQueryData(flowQuery(key).queryKey);
  if (!flow) return icons;
  const { queryKey, draw } = flowGraph(flow);
  return Promise.all([
    icons,
    client.prefetchQuery({ queryKey, queryFn: (context) => draw(undefined, context) }),
  ]);
}
