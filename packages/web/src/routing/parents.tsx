import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  Outlet,
  retainSearchParams,
  useMatches,
} from '@tanstack/react-router';
import { DefaultLayout } from '../shell/DefaultLayout.tsx';
import { ErrorPage } from '../shell/ErrorPage.tsx';
import { isTenant } from './tenant.ts';

/** `?showDocId`, with any value or none, shows the documentation id of each page and stays while navigating. */
const readRootSearch = (raw: Record<string, unknown>): { showDocId?: 'true' } =>
  raw.showDocId === undefined ? {} : { showDocId: 'true' };

/** What the start of a page may use. */
interface RouterContext {
  readonly queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Layout,
  notFoundComponent: () => <ErrorPage code={404} route />,
  validateSearch: readRootSearch,
  search: { middlewares: [retainSearchParams(['showDocId'])] },
});

/**
 * The parent of every page: each path may start with a tenant, and links keep it because parameters of the present
 * address carry over. The pages are in `routes.tsx` and in the `routes.ts` of flows and executions.
 */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '{-$tenant}',
  beforeLoad: ({ params }) => {
    // Any other first segment is a word of a wrong address.
    if (params.tenant !== undefined && !isTenant(params.tenant)) throw notFound();
  },
});

/** Each page may choose what surrounds it by the static data of its route. */
function Layout() {
  const layout = useMatches({ select: (matches) => matches.at(-1)?.staticData.layout ?? 'default' });
  return layout === 'full' ? <Outlet /> : <DefaultLayout withContextBar={layout === 'default'} />;
}
