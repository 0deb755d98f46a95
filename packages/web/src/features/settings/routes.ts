import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';

const settings = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/SettingsPage.tsx'), 'SettingsPage'),
});

export const settingsRoutes = [settings] as const;
