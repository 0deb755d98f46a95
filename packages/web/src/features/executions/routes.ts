import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { executionQuery } from '../../api/follow.ts';
import { prefetchLog } from '../../api/readLog.ts';
import { tenantRoute } from '../../routing/parents.tsx';
import { readSetting } from '../../storage/settings.ts';
import { settleBriefly } from '../../ui/lazyPart.tsx';
import { plainQuery } from '../../ui/list/plainQuery.ts';
import { preloadTab } from './page/loadTab.ts';
import { executionGraph, executionOrder, executionsQuery } from './queries.ts';
import { type ExecutionSearch, parseExecutionSearch, parseExecutionsSearch } from './search.ts';

const list = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions',
  validateSearch: parseExecutionsSearch,
  loader: ({ location, context, cause }) => {
    const query = plainQuery(location.pathname, parseExecutionsSearch(location.search), executionOrder);
    if (!query || cause !== 'enter') return undefined;
    return settleBriefly(context.queryClient.prefetchQuery(executionsQuery(query)));
  },
  component: lazyRouteComponent(() => import('./list/ExecutionListPage.tsx'), 'ExecutionListPage'),
});

const update = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'executions/$namespace/$flowId/$id/{-$tab}',
  staticData: { docId: 'execution' },
  validateSearch: parseExecutionSearch,
  // The execution and the view of the tab come while the page does.
  loader: ({ params, location, context, cause, abortController }) => {
    const view = preloadTab(params.tab);
    // A link under the pointer is no reason to tell that its execution is gone.
    if (cause === 'preload') return settleBriefly(view);
    const execution = context.queryClient.prefetchQuery(executionQuery(params.id));
    if (params.tab === 'topology' && cause === 'enter') {
      const { queryKey, draw } = executionGraph(params.id);
      const graph = context.queryClient.prefetchQuery({
        queryKey,
        queryFn: (query) => draw(undefined, query),
      });
      return settleBriefly(view, execution, graph);
    }
    if (params.tab !== 'logs' || cause !== 'enter') return settleBriefly(view, execution);
    const search = parseExecutionSearch(location.search);
    return settleBriefly(view, execution, prefetchLogOf(params.id, search, abortController.signal));
  },
  component: lazyRouteComponent(() => import('./page/ExecutionPage.tsx'), 'ExecutionPage'),
});

/** The log of one task run is left to the view, which knows whether there is such a run. */
async function prefetchLogOf(
  executionId: string,
  { taskRunId, level }: ExecutionSearch,
  signal: AbortSignal,
) {
  if (taskRunId !== undefined) return;
  await prefetchLog({ executionId, minLevel: level ?? readSetting('defaultLogLevel') }, signal);
}

export const executionRoutes = [list, update] as const;
