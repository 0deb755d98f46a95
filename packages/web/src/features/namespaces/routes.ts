import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { dateSearch, listSearchOf, text } from '../../searchParams.ts';
import { executionListSearch } from '../executions/index.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'namespaces',
  validateSearch: listSearchOf({ q: text }),
  component: lazyRouteComponent(() => import('./pages/NamespaceListPage.tsx'), 'NamespaceListPage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'namespaces/edit/$id/{-$tab}',
  // The tabs share one address, so the parameters of all of them are listed here.
  validateSearch: listSearchOf({ ...executionListSearch, ...dateSearch, file: text }),
  component: lazyRouteComponent(() => import('./pages/NamespacePage.tsx'), 'NamespacePage'),
});

export const namespaceRoutes = [list, update] as const;
