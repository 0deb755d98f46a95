import type { AnyRouter } from '@tanstack/react-router';
import { onSessionLost } from '../api/session.ts';
import { tenantOf } from './tenantOf.ts';
import { suspendUnsavedGuards } from './useUnsavedGuard.ts';

/** A lost session leads to the login page, which leads back to where it was lost. */
export function followSession(router: AnyRouter): () => void {
  return onSessionLost(({ expired }) => {
    const { pathname, href } = router.state.location;
    if (pathname.endsWith('/login')) return;
    suspendUnsavedGuards();
    const tenant = tenantOf(router);
    void router.navigate({
      to: tenant ? `/${tenant}/login` : '/login',
      search: { ...(expired && { expired: '1' }), from: href },
      replace: true,
    });
  });
}
