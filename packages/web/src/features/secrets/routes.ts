import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearch, listSearchOf } from '../../searchParams.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'secrets',
  validateSearch: listSearchOf(listSearch),
  component: lazyRouteComponent(() => import('./pages/SecretListPage.tsx'), 'SecretListPage'),
});

export const secretRoutes = [list] as const;
