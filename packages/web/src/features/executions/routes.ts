import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { executionQuery } from '../../api/followExecution.ts';
import { tenantRoute } from '../../routing/parents.tsx';
import { untilSoon } from '../../ui/lazyPart.tsx';
import { plainQuery } from '../../ui/list/plainQuery.ts';
import { beginTab } from './components/loadTab.ts';
import { executionOrder, executionsQuery } from './queries.ts';
import { parseExecutionSearch, parseExecutionsSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions',
  validateSearch: parseExecutionsSearch,
  loader: ({ location, context, cause }) => {
    const query = plainQuery(location.pathname, parseExecutionsSearch(location.search), executionOrder);
    if (!query || cause !== 'enter') return undefined;
    return untilSoon(context.queryClient.prefetchQuery(executionsQuery(query)));
  },
  component: lazyRouteComponent(() => import('./pages/ExecutionListPage.tsx'), 'ExecutionListPage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions/$namespace/$flowId/$id/{-$tab}',
  staticData: { docId: 'execution' },
  validateSearch: parseExecutionSearch,
  // The execution and the view of the tab come while the page does.
  loader: ({ params, context, cause }) => {
    const view = beginTab(params.tab);
    // A link under the pointer is no reason to tell that its execution is gone.
    if (cause === 'preload') return untilSoon(view);
    return untilSoon(view, context.queryClient.prefetchQuery(executionQuery(params.id)));
  },
  component: lazyRouteComponent(() => import('./pages/ExecutionPage.tsx'), 'ExecutionPage'),
});

export const executionRoutes = [list, update] as const;
