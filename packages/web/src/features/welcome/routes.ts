import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';

const welcome = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./pages/WelcomePage.tsx'), 'WelcomePage'),
});

export const welcomeRoutes = [welcome] as const;
