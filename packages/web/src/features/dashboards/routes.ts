import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearchOf, text } from '../../searchParams.ts';
import { executionListSearch } from '../executions/index.ts';

const home = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'dashboards/{-$id}',
  validateSearch: listSearchOf(executionListSearch),
  component: lazyRouteComponent(() => import('./pages/HomePage.tsx'), 'HomePage'),
});

const create = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'dashboards/new',
  validateSearch: listSearchOf({ blueprintId: text }),
  component: lazyRouteComponent(() => import('./pages/DashboardCreatePage.tsx'), 'DashboardCreatePage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'dashboards/$id/edit',
  component: lazyRouteComponent(() => import('./pages/DashboardEditPage.tsx'), 'DashboardEditPage'),
});

export const dashboardRoutes = [create, update, home] as const;
