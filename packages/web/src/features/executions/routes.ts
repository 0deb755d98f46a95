import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';
import { parseExecutionSearch, parseExecutionsSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions',
  validateSearch: parseExecutionsSearch,
  component: lazyRouteComponent(() => import('./pages/ExecutionListPage.tsx'), 'ExecutionListPage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions/$namespace/$flowId/$id/{-$tab}',
  staticData: { docId: 'execution' },
  validateSearch: parseExecutionSearch,
  component: lazyRouteComponent(() => import('./pages/ExecutionPage.tsx'), 'ExecutionPage'),
});

export const executionRoutes = [list, update] as const;
