import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';

const view = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'docs/$',
  staticData: { layout: 'menu' },
  component: lazyRouteComponent(() => import('./pages/DocPage.tsx'), 'DocPage'),
});

export const docRoutes = [view] as const;
