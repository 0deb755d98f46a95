import { useMatches, useRouterState } from '@tanstack/react-router';

/** The documentation id of the page that is open: its route's own, or the last segment of its path. */
export function useDocId(): string | undefined {
  const own = useMatches({ select: (matches) => matches.at(-1)?.staticData.docId });
  const last = useRouterState({ select: (state) => state.location.pathname.split('/').findLast(Boolean) });
  return own ?? last;
}
