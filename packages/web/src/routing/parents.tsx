import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  retainSearchParams,
} from '@tanstack/react-router';
import { ErrorPage } from '../shell/ErrorPage.tsx';
import { Layout } from '../shell/Layout.tsx';
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
 * address carry over. A feature brings its pages in a `routes.ts` of its own, built on this.
 */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '{-$tenant}',
  beforeLoad: ({ params }) => {
    // Any other first segment is a word of a wrong address.
    if (params.tenant !== undefined && !isTenant(params.tenant)) throw notFound();
  },
});
