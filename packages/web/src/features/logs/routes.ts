import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearchOf } from '../../searchParams.ts';
import { logListSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'logs',
  validateSearch: listSearchOf(logListSearch),
  component: lazyRouteComponent(() => import('./pages/LogListPage.tsx'), 'LogListPage'),
});

export const logRoutes = [list] as const;
