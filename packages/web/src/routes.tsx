import type { QueryClient } from '@tanstack/react-query';
import { createBrowserHistory, createRouter, type RouterHistory } from '@tanstack/react-router';
import { basePath } from './api/tenant.ts';
import { blueprintRoutes } from './features/blueprints/routes.ts';
import { dashboardRoutes } from './features/dashboards/routes.ts';
import { demoRoutes } from './features/demos/routes.tsx';
import { docRoutes } from './features/docs/routes.ts';
import { executionRoutes } from './features/executions/routes.ts';
import { flowRoutes } from './features/flows/routes.ts';
import { kvRoutes } from './features/kv/routes.ts';
import { loginRoutes } from './features/login/routes.ts';
import { logRoutes } from './features/logs/routes.ts';
import { namespaceRoutes } from './features/namespaces/routes.ts';
import { pluginRoutes } from './features/plugins/routes.ts';
import { secretRoutes } from './features/secrets/routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { taskRunRoutes } from './features/taskruns/routes.ts';
import { templateRoutes } from './features/templates/routes.ts';
import { triggerRoutes } from './features/triggers/routes.ts';
import { usageRoutes } from './features/usage/routes.ts';
import { welcomeRoutes } from './features/welcome/routes.ts';
import { rootRoute, tenantRoute } from './routing/parents.tsx';
import { parseSearch, stringifySearch } from './searchParams.ts';
import { shellRoutes } from './shell/routes.tsx';
import { Loading } from './ui/Loading.tsx';

/** One line a feature: each brings its own list of routes, with pages that load when they are first opened. */
const routeTree = rootRoute.addChildren([
  tenantRoute.addChildren([
    ...shellRoutes,
    ...flowRoutes,
    ...executionRoutes,
    ...logRoutes,
    ...triggerRoutes,
    ...taskRunRoutes,
    ...usageRoutes,
    ...kvRoutes,
    ...namespaceRoutes,
    ...dashboardRoutes,
    ...blueprintRoutes,
    ...pluginRoutes,
    ...templateRoutes,
    ...secretRoutes,
    ...loginRoutes,
    ...docRoutes,
    ...settingsRoutes,
    ...welcomeRoutes,
    ...demoRoutes,
  ]),
]);

export function createAppRouter(queryClient: QueryClient, history: RouterHistory = createBrowserHistory()) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    basepath: basePath(),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultPendingMs: 300,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
