import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createQueryClient } from '../api/queryClient.ts';
import { readTenantFrom } from '../api/tenant.ts';
import { createAppRouter } from '../routes.tsx';
import { tenantOf } from '../routing/tenant.ts';
import { App } from '../shell/App.tsx';
import { trackRouter } from './openRouters.ts';

/** The whole app at an address, as a browser would open it. */
export function renderAt(url: string) {
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [url] }));
  trackRouter(router);
  readTenantFrom(() => tenantOf(router));
  const view = render(<App router={router} queryClient={queryClient} />);
  return { ...view, router, user: userEvent.setup(), href: () => router.state.location.href };
}
