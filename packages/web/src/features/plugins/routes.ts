import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearchOf, text } from '../../searchParams.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'plugins',
  validateSearch: listSearchOf({ q: text }),
  component: lazyRouteComponent(() => import('./pages/PluginListPage.tsx'), 'PluginListPage'),
});

const view = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'plugins/$cls/{-$version}',
  component: lazyRouteComponent(() => import('./pages/PluginPage.tsx'), 'PluginPage'),
});

export const pluginRoutes = [list, view] as const;
