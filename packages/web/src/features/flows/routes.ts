import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { parseFlowCreateSearch, parseFlowSearch, parseFlowsSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows',
  validateSearch: parseFlowsSearch,
  component: lazyRouteComponent(() => import('./pages/FlowListPage.tsx'), 'FlowListPage'),
});

const create = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'flows/new',
  validateSearch: parseFlowCreateSearch,
  staticData: { docId: 'flow-editor' },
  // The editor is by far the larger part, so it starts loading with the page and not after it.
  component: lazyRouteComponent(() => {
    void import('../editor/index.ts');
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
  component: lazyRouteComponent(() => import('./pages/FlowPage.tsx'), 'FlowPage'),
});

export const flowRoutes = [list, search, create, update] as const;
