import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearch, listSearchOf } from '../../searchParams.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'kv',
  validateSearch: listSearchOf(listSearch),
  component: lazyRouteComponent(() => import('./pages/KvListPage.tsx'), 'KvListPage'),
});

export const kvRoutes = [list] as const;
