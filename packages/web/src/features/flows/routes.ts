import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { untilSoon } from '../../ui/lazyPart.tsx';
import { plainQuery } from '../../ui/list/plainQuery.ts';
import { beginGraph, beginTab } from './components/loadTab.ts';
import { flowOrder, flowQuery, flowsQuery } from './queries.ts';
import { parseFlowCreateSearch, parseFlowSearch, parseFlowsSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows',
  validateSearch: parseFlowsSearch,
  loader: ({ location, context, cause }) => {
    const query = plainQuery(location.pathname, parseFlowsSearch(location.search), flowOrder);
    if (!query || cause !== 'enter') return undefined;
    return untilSoon(context.queryClient.prefetchQuery(flowsQuery(query)));
  },
  component: lazyRouteComponent(() => import('./pages/FlowListPage.tsx'), 'FlowListPage'),
});

const create = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/new',
  validateSearch: parseFlowCreateSearch,
  staticData: { docId: 'flow-editor' },
  // The editor is by far the larger part, so it starts loading with the page and not after it.
  component: lazyRouteComponent(() => {
    beginTab('edit').catch(() => undefined);
    return import('./pages/FlowCreatePage.tsx');
  }, 'FlowCreatePage'),
});

const search = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/search',
  validateSearch: parseFlowsSearch,
  component: lazyRouteComponent(() => import('./pages/FlowSourceSearchPage.tsx'), 'FlowSourceSearchPage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/edit/$namespace/$id/{-$tab}',
  staticData: { docId: 'flow-editor' },
  validateSearch: parseFlowSearch,
  // The flow and the view of the tab come while the page does.
  loader: ({ params: { namespace, id, tab }, context, cause }) => {
    const view = beginTab(tab);
    // A link under the pointer is no reason to tell that its flow is gone.
    if (cause === 'preload') return untilSoon(view);
    if (tab === 'topology' && cause === 'enter')
      return untilSoon(view, beginGraph(context.queryClient, { namespace, id }));
    return untilSoon(view, context.queryClient.prefetchQuery(flowQuery({ namespace, id })));
  },
  component: lazyRouteComponent(() => import('./pages/FlowPage.tsx'), 'FlowPage'),
});

export const flowRoutes = [list, search, create, update] as const;
