import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearch, listSearchOf, text } from '../../searchParams.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/triggers',
  validateSearch: listSearchOf({ ...listSearch, flowId: text, triggerId: text, workerId: text }),
  component: lazyRouteComponent(() => import('./pages/TriggerListPage.tsx'), 'TriggerListPage'),
});

export const triggerRoutes = [list] as const;
