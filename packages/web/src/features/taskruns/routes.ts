import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { listSearchOf } from '../../searchParams.ts';
import { executionListSearch } from '../executions/index.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'taskruns',
  validateSearch: listSearchOf(executionListSearch),
  component: lazyRouteComponent(() => import('./pages/TaskRunListPage.tsx'), 'TaskRunListPage'),
});

export const taskRunRoutes = [list] as const;
