import { LogLevel } from '@millrace/contract';
import type { QueryClient } from '@tanstack/react-query';
import {
  createBrowserHistory,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { z } from 'zod';
import { basePath } from './api/tenant.ts';
import { compareRoute } from './features/compare/routes.ts';
import { executionRoutes } from './features/executions/routes.ts';
import { executionListSearch } from './features/executions/search.ts';
import { flowRoutes } from './features/flows/routes.ts';
import { rootRoute, tenantRoute } from './routing/parents.tsx';
import { dateSearch, listSearch, listSearchOf, parseSearch, stringifySearch, text } from './searchParams.ts';
import { ErrorPage } from './shell/ErrorPage.tsx';
import { BrokenPart } from './ui/ErrorBoundary.tsx';
import { Loading } from './ui/Loading.tsx';
import { retryFailedParts } from './ui/lazyPart.tsx';

const start = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/{-$tenant}/dashboards/{-$id}', search: {}, replace: true });
  },
});

const dashboard = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'dashboards/{-$id}',
  validateSearch: listSearchOf(executionListSearch),
  component: lazyRouteComponent(() => import('./features/dashboards/HomePage.tsx'), 'HomePage'),
});

const newDashboard = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'dashboards/new',
  validateSearch: listSearchOf({ blueprintId: text }),
  component: lazyRouteComponent(
    () => import('./features/dashboards/DashboardEditPage.tsx'),
    'DashboardCreatePage',
  ),
});

const editDashboard = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'dashboards/$id/edit',
  component: lazyRouteComponent(
    () => import('./features/dashboards/DashboardEditPage.tsx'),
    'DashboardEditPage',
  ),
});

const taskRuns = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'taskruns',
  validateSearch: listSearchOf(executionListSearch),
  component: lazyRouteComponent(() => import('./features/taskruns/TaskRunListPage.tsx'), 'TaskRunListPage'),
});

const logs = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'logs',
  validateSearch: listSearchOf({
    ...listSearch,
    ...dateSearch,
    flowId: text,
    triggerId: text,
    level: LogLevel.optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./features/logs/LogSearch.tsx'), 'LogListPage'),
});

const namespaces = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'namespaces',
  validateSearch: listSearchOf({ q: text }),
  component: lazyRouteComponent(
    () => import('./features/namespaces/NamespaceListPage.tsx'),
    'NamespaceListPage',
  ),
});

const namespace = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'namespaces/edit/$id/{-$tab}',
  // The tabs share one address, so the parameters of all of them are listed here.
  validateSearch: listSearchOf({ ...executionListSearch, ...dateSearch, file: text }),
  component: lazyRouteComponent(() => import('./features/namespaces/NamespacePage.tsx'), 'NamespacePage'),
});

const keyValues = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'kv',
  validateSearch: listSearchOf(listSearch),
  component: lazyRouteComponent(() => import('./features/kv/KvListPage.tsx'), 'KvListPage'),
});

const secrets = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'secrets',
  validateSearch: listSearchOf(listSearch),
  component: lazyRouteComponent(() => import('./features/secrets/SecretListPage.tsx'), 'SecretListPage'),
});

const triggers = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/triggers',
  validateSearch: listSearchOf({ ...listSearch, flowId: text, triggerId: text, workerId: text }),
  component: lazyRouteComponent(() => import('./features/triggers/TriggerListPage.tsx'), 'TriggerListPage'),
});

const inbox = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'inbox',
  validateSearch: listSearchOf({ namespace: text, hidden: text }),
  component: lazyRouteComponent(() => import('./features/inbox/InboxPage.tsx'), 'InboxPage'),
});

const calendar = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'calendar',
  validateSearch: listSearchOf({
    view: z.enum(['day', 'week', 'month']).optional().catch(undefined),
    date: text,
    namespace: text,
    flowId: text,
  }),
  component: lazyRouteComponent(() => import('./features/calendar/CalendarPage.tsx'), 'CalendarPage'),
});

const alerts = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'alerts/{-$tab}',
  component: lazyRouteComponent(() => import('./features/alerts/AlertsPage.tsx'), 'AlertsPage'),
});

const statistics = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/stats/{-$tab}',
  component: lazyRouteComponent(() => import('./features/instance/InstancePage.tsx'), 'InstancePage'),
});

const blueprints = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'blueprints/$kind/$tab',
  validateSearch: listSearchOf({ ...listSearch, selectedTag: text }),
  component: lazyRouteComponent(
    () => import('./features/blueprints/BlueprintListPage.tsx'),
    'BlueprintListPage',
  ),
});

const blueprint = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'blueprints/$kind/$tab/$blueprintId',
  component: lazyRouteComponent(() => import('./features/blueprints/BlueprintPage.tsx'), 'BlueprintPage'),
});

const plugins = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'plugins',
  validateSearch: listSearchOf({ q: text }),
  component: lazyRouteComponent(() => import('./features/plugins/PluginListPage.tsx'), 'PluginListPage'),
});

const plugin = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'plugins/$cls/{-$version}',
  component: lazyRouteComponent(() => import('./features/plugins/PluginPage.tsx'), 'PluginPage'),
});

const templates = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates',
  validateSearch: listSearchOf(listSearch),
  component: lazyRouteComponent(
    () => import('./features/templates/TemplateListPage.tsx'),
    'TemplateListPage',
  ),
});

const newTemplate = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates/new',
  component: lazyRouteComponent(
    () => import('./features/templates/TemplateEditPage.tsx'),
    'TemplateCreatePage',
  ),
});

const editTemplate = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'templates/edit/$namespace/$id',
  component: lazyRouteComponent(
    () => import('./features/templates/TemplateEditPage.tsx'),
    'TemplateEditPage',
  ),
});

const docs = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'docs/$',
  staticData: { layout: 'menu' },
  component: lazyRouteComponent(() => import('./features/docs/DocPage.tsx'), 'DocPage'),
});

const settings = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./features/settings/SettingsPage.tsx'), 'SettingsPage'),
});

const LoginSearch = z.object({ from: text, expired: text });

const login = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'login',
  validateSearch: (raw: Record<string, unknown>) => LoginSearch.parse(raw),
  staticData: { layout: 'full' },
  component: lazyRouteComponent(() => import('./features/login/LoginPage.tsx'), 'LoginPage'),
});

const welcome = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./features/welcome/WelcomePage.tsx'), 'WelcomePage'),
});

const loadDemos = () => import('./features/demos/demoPages.tsx');

const apps = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'apps',
  component: lazyRouteComponent(loadDemos, 'AppsPage'),
});
const iam = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/iam',
  component: lazyRouteComponent(loadDemos, 'IamPage'),
});
const tenants = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/tenants',
  component: lazyRouteComponent(loadDemos, 'TenantsPage'),
});
const instance = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/instance',
  component: lazyRouteComponent(loadDemos, 'InstanceDemoPage'),
});
const auditLogs = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/auditlogs',
  component: lazyRouteComponent(loadDemos, 'AuditLogsPage'),
});

/** Without this, an unknown path would be read as a tenant. */
const unknown = createRoute({
  getParentRoute: () => tenantRoute,
  path: '$',
  component: () => <ErrorPage code={404} route />,
});

/** Pages that need nothing before they open. The pages of flows and executions prefetch data: see their `routes.ts`. */
const pageRoutes = [
  start,
  newDashboard,
  editDashboard,
  dashboard,
  taskRuns,
  logs,
  namespaces,
  namespace,
  keyValues,
  secrets,
  triggers,
  inbox,
  calendar,
  alerts,
  statistics,
  blueprints,
  blueprint,
  plugins,
  plugin,
  templates,
  newTemplate,
  editTemplate,
  docs,
  settings,
  login,
  welcome,
  apps,
  iam,
  tenants,
  instance,
  auditLogs,
  unknown,
] as const;

const routeTree = rootRoute.addChildren([
  tenantRoute.addChildren([...flowRoutes, ...executionRoutes, compareRoute, ...pageRoutes]),
]);

/** Replaces the whole page, when what surrounds its content is broken too. */
function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <BrokenPart
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => {
        retryFailedParts();
        reset();
      }}
    />
  );
}

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
    defaultErrorComponent: BrokenPage,
    defaultPendingMs: 300,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
