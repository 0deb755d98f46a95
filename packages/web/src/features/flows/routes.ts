import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { settleBriefly } from '../../ui/lazyPart.tsx';
import { plainQuery } from '../../ui/list/plainQuery.ts';
import { preloadGraph, preloadTab } from './page/loadTab.ts';
import { flowOrder, flowQuery, flowsQuery } from './queries.ts';
import { parseFlowCreateSearch, parseFlowSearch, parseFlowsSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows',
  validateSearch: parseFlowsSearch,
  loader: ({ location, context, cause }) => {
    const query = plainQuery(location.pathname, parseFlowsSearch(location.search), flowOrder);
    if (!query || cause !== 'enter') return undefined;
    return settleBriefly(context.queryClient.prefetchQuery(flowsQuery(query)));
  },
  component: lazyRouteComponent(() => import('./list/FlowListPage.tsx'), 'FlowListPage'),
});

const create = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/new',
  validateSearch: parseFlowCreateSearch,
  staticData: { docId: 'flow-editor' },
  // The editor is by far the larger part, so it starts loading with the page and not after it.
  component: lazyRouteComponent(() => {
    preloadTab('edit').catch(() => undefined);
    return import('./edit/FlowCreatePage.tsx');
  }, 'FlowCreatePage'),
});

const search = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/search',
  validateSearch: parseFlowsSearch,
  component: lazyRouteComponent(() => import('./list/FlowSourceSearchPage.tsx'), 'FlowSourceSearchPage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/edit/$namespace/$id/{-$tab}',
  staticData: { docId: 'flow-editor' },
  validateSearch: parseFlowSearch,
  // The flow and the view of the tab come while the page does.
  loader: ({ params: { namespace, id, tab }, context, cause }) => {
    const view = preloadTab(tab);
    // A link under the pointer is no reason to tell that its flow is gone.
    if (cause === 'preload') return settleBriefly(view);
    if (tab === 'topology' && cause === 'enter')
      return settleBriefly(view, preloadGraph(context.queryClient, { namespace, id }));
    return settleBriefly(view, context.queryClient.prefetchQuery(flowQuery({ namespace, id })));
  },
  component: lazyRouteComponent(() => import('./page/FlowPage.tsx'), 'FlowPage'),
});

export const flowRoutes = [list, search, create, update] as const;
