import type { AnyRouter } from '@tanstack/react-router';

const open = new Set<AnyRouter>();

export const trackRouter = (router: AnyRouter): void => void open.add(router);

/**
 * For when their pages are gone: what is still on its way to one of them, for as long as its loader waits, must not draw
 * it any more. The document may be gone by then.
 */
export function closeRouters(): void {
  for (const router of open) router.startTransition = async () => false;
  open.clear();
}
