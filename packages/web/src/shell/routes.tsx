import { createRoute, redirect } from '@tanstack/react-router';
import { tenantRoute } from '../routing/parents.tsx';
import { ErrorPage } from './ErrorPage.tsx';

const start = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/{-$tenant}/dashboards/{-$id}', search: {}, replace: true });
  },
});

/** Without this, an unknown path would fall on the tenant. */
const unknown = createRoute({
  getParentRoute: () => tenantRoute,
  path: '$',
  component: () => <ErrorPage code={404} route />,
});

export const shellRoutes = [start, unknown] as const;
