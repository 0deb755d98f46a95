import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { executionQuery } from '../../api/follow.ts';
import { tenantRoute } from '../../routing/parents.tsx';
import { settleBriefly } from '../../ui/lazyPart.tsx';
import { parseCompareSearch } from './search.ts';

export const compareRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions/compare',
  staticData: { docId: 'compare' },
  validateSearch: parseCompareSearch,
  loader: ({ location, context, cause }) => {
    if (cause !== 'enter') return undefined;
    const { left, right } = parseCompareSearch(location.search);
    const ids = [left, right].filter((id) => id !== undefined);
    return settleBriefly(...ids.map((id) => context.queryClient.prefetchQuery(executionQuery(id))));
  },
  component: lazyRouteComponent(() => import('./ComparePage.tsx'), 'ComparePage'),
});
