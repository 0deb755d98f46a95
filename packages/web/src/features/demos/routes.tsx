import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../../routing/parents.tsx';

const load = () => import('./pages/demoPages.tsx');

const apps = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'apps',
  component: lazyRouteComponent(load, 'AppsPage'),
});
const iam = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/iam',
  component: lazyRouteComponent(load, 'IamPage'),
});
const tenants = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/tenants',
  component: lazyRouteComponent(load, 'TenantsPage'),
});
const instance = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/instance',
  component: lazyRouteComponent(load, 'InstancePage'),
});
const auditLogs = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'admin/auditlogs',
  component: lazyRouteComponent(() => import('./pages/AuditLogsPage.tsx'), 'AuditLogsPage'),
});

export const demoRoutes = [apps, iam, tenants, instance, auditLogs] as const;
