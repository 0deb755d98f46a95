import type { AnyRouter } from '@tanstack/react-router';

/** This edition has one tenant. Paths may name it or leave it out. */
const mainTenant = 'main';

export const isTenant = (segment: string): boolean => segment === mainTenant;

/** The tenant in the router's address, if it has one. */
export function tenantOf(router: AnyRouter): string | undefined {
  const match = router.state.matches.at(-1);
  // The first page asks for its data while it is still being matched.
  if (!match) return router.latestLocation.pathname.split('/').slice(1, 2).find(isTenant);
  const params: object = match.params;
  return 'tenant' in params && typeof params.tenant === 'string' ? params.tenant : undefined;
}
