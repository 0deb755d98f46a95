import { type AnyRouter, useParams } from '@tanstack/react-router';

/** This edition has one tenant. Paths may name it or leave it out. */
const mainTenant = 'main';

export const isTenant = (segment: string): boolean => segment === mainTenant;

/** The tenant in the router's address, if it has one. */
export function tenantOf(router: AnyRouter): string | undefined {
  const match = router.state.matches.at(-1);
  // The first page asks for its data while it is still being matched.
  if (!match) return router.latestLocation.pathname.split('/').slice(1, 2).find(isTenant);
  return knownTenant(match.params);
}

/** The same for components. Links of a page with a wrong address must lead to right ones. */
export const useTenant = (): string | undefined => knownTenant(useParams({ strict: false }));

const knownTenant = (params: { readonly tenant?: string | undefined }): string | undefined =>
  params.tenant !== undefined && isTenant(params.tenant) ? params.tenant : undefined;
