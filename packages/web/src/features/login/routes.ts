import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { parseLoginSearch } from './search.ts';

const login = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'login',
  validateSearch: parseLoginSearch,
  staticData: { layout: 'full' },
  component: lazyRouteComponent(() => import('./pages/LoginPage.tsx'), 'LoginPage'),
});

export const loginRoutes = [login] as const;
