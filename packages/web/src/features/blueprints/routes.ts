import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearch, listSearchOf, text } from '../../searchParams.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'blueprints/$kind/$tab',
  validateSearch: listSearchOf({ ...listSearch, selectedTag: text }),
  component: lazyRouteComponent(() => import('./pages/BlueprintListPage.tsx'), 'BlueprintListPage'),
});

const view = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'blueprints/$kind/$tab/$blueprintId',
  component: lazyRouteComponent(() => import('./pages/BlueprintPage.tsx'), 'BlueprintPage'),
});

export const blueprintRoutes = [list, view] as const;
