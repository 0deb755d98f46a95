import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearch, listSearchOf } from '../../searchParams.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates',
  validateSearch: listSearchOf(listSearch),
  component: lazyRouteComponent(() => import('./pages/TemplateListPage.tsx'), 'TemplateListPage'),
});

const create = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates/new',
  component: lazyRouteComponent(() => import('./pages/TemplateCreatePage.tsx'), 'TemplateCreatePage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates/edit/$namespace/$id',
  component: lazyRouteComponent(() => import('./pages/TemplateEditPage.tsx'), 'TemplateEditPage'),
});

export const templateRoutes = [list, create, update] as const;
