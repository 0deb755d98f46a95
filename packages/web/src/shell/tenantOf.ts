import type { AnyRouter } from '@tanstack/react-router';

/** The tenant in the router's address, if it has one. */
export function tenantOf(router: AnyRouter): string | undefined {
  const params: object = router.state.matches.at(-1)?.params ?? {};
  return 'tenant' in params && typeof params.tenant === 'string' ? params.tenant : undefined;
}
