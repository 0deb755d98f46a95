import type { AnyRouter } from '@tanstack/react-router';
import { onSessionLost } from '../api/session.ts';
import { tenantOf } from './tenantOf.ts';
import { suspendUnsavedGuards } from './useUnsavedGuard.ts';

/** A lost session leads to the login page, which leads back to where it was lost. */
export function followSession(router: AnyRouter): () => void {
  return onSessionLost(({ expired }) => {
    const { location, resolvedLocation } = router.state;
    // Also while it is being left: what is refused on the way to a page is refused again once the page is there.
    if ([location, resolvedLocation].some((place) => place?.pathname.endsWith('/login'))) return;
    suspendUnsavedGuards();
    const tenant = tenantOf(router);
    void router.navigate({
      to: tenant ? `/${tenant}/login` : '/login',
      search: { ...(expired && { expired: '1' }), from: location.href },
      replace: true,
    });
  });
}
