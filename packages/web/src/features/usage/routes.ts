import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';

const page = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/stats',
  component: lazyRouteComponent(() => import('./pages/UsagePage.tsx'), 'UsagePage'),
});

export const usageRoutes = [page] as const;
