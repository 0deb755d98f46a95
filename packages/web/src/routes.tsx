import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { parseExecutionSearch, parseExecutionsSearch } from './features/executions/search.ts';
import { parseFlowCreateSearch, parseFlowSearch, parseFlowsSearch } from './features/flows/search.ts';
import { parseSearch, stringifySearch } from './searchParams.ts';
import { DefaultLayout } from './shell/DefaultLayout.tsx';
import { ErrorPage } from './shell/ErrorPage.tsx';
import { Loading } from './ui/Loading.tsx';

const root = createRootRoute({
  component: DefaultLayout,
  notFoundComponent: () => <ErrorPage code={404} route />,
});

/** Every path may start with a tenant; links keep it because parameters of the present address carry over. */
const tenant = createRoute({ getParentRoute: () => root, path: '{-$tenant}' });

const home = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/{-$tenant}/flows', search: {}, replace: true });
  },
});

const flowList = createRoute({
  getParentRoute: () => tenant,
  path: 'flows',
  validateSearch: parseFlowsSearch,
  component: lazyRouteComponent(() => import('./features/flows/pages/FlowListPage.tsx'), 'FlowListPage'),
});
const flowCreate = createRoute({
  getParentRoute: () => tenant,
  path: 'flows/new',
  validateSearch: parseFlowCreateSearch,
  // The editor is by far the larger part, so it starts loading with the page and not after it.
  component: lazyRouteComponent(() => {
    void import('./features/editor/index.ts');
    return import('./features/flows/pages/FlowCreatePage.tsx');
  }, 'FlowCreatePage'),
});
const flow = createRoute({
  getParentRoute: () => tenant,
  path: 'flows/edit/$namespace/$id/{-$tab}',
  validateSearch: parseFlowSearch,
  component: lazyRouteComponent(() => import('./features/flows/pages/FlowPage.tsx'), 'FlowPage'),
});

const executionList = createRoute({
  getParentRoute: () => tenant,
  path: 'executions',
  validateSearch: parseExecutionsSearch,
  component: lazyRouteComponent(
    () => import('./features/executions/pages/ExecutionListPage.tsx'),
    'ExecutionListPage',
  ),
});
const execution = createRoute({
  getParentRoute: () => tenant,
  path: 'executions/$namespace/$flowId/$id/{-$tab}',
  validateSearch: parseExecutionSearch,
  component: lazyRouteComponent(
    () => import('./features/executions/pages/ExecutionPage.tsx'),
    'ExecutionPage',
  ),
});

/** Without this, an unknown path would fall on the tenant. */
const unknown = createRoute({
  getParentRoute: () => tenant,
  path: '$',
  component: () => <ErrorPage code={404} route />,
});

const routeTree = root.addChildren([
  tenant.addChildren([home, flowList, flowCreate, flow, executionList, execution, unknown]),
]);

export function createAppRouter(history: RouterHistory = createBrowserHistory()) {
  return createRouter({
    routeTree,
    history,
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
