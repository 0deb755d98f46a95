import { useMatch, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readStored } from '../../storage/storage.ts';
import { lastQueryOf, rememberQuery } from './lastQuery.ts';

interface Opening {
  /** What the address says now. */
  search: Readonly<Record<string, unknown>>;
  /** A list inside another page is opened with that page, and keeps nothing. */
  isEmbedded: boolean;
  hasNamespace: boolean;
}

/**
 * A list that is opened without any wish shows what it showed last in this tab, or begins in the namespace that the
 * settings name. Going back or forward, reloading and a shared link come with their address, and that is what they show.
 */
export function useOpeningQuery({ search, isEmbedded, hasNamespace }: Opening): void {
  const navigate = useNavigate();
  const router = useRouter();
  // Of the list's own match: while another page is on its way, the location is that page's already.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const entries = Object.entries(search).filter(([, value]) => value !== undefined);
  const query = JSON.stringify(Object.fromEntries(entries));
  const isBare = entries.length === 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only on opening; whoever clears the filters means it.
  useEffect(() => {
    if (isEmbedded || !isBare) return;
    const last = isNewEntry(router.state.location.state) ? lastQueryOf(pathname) : undefined;
    const namespace = hasNamespace ? readStored('defaultNamespace') : undefined;
    const wanted = last ?? (namespace ? { namespace } : undefined);
    // `as`: the list is inside several routes; each route's schema drops what is not its own.
    if (wanted) void navigate({ to: '.', search: wanted as never, replace: true });
  }, []);

  useEffect(() => {
    if (isEmbedded) return;
    markSeen(router.state.location.state);
    rememberQuery(pathname, isBare ? undefined : JSON.parse(query));
  }, [isEmbedded, isBare, pathname, query, router]);
}

interface EntryState {
  __TSR_key?: string;
  __TSR_index?: number;
}

const seen = new Set<string>();

/** Reached by a link of the app: neither the first entry of the tab nor one that has been shown before. */
const isNewEntry = ({ __TSR_key = '', __TSR_index = 0 }: EntryState): boolean =>
  __TSR_index > 0 && !seen.has(__TSR_key);

const markSeen = ({ __TSR_key }: EntryState): void => {
  if (__TSR_key) seen.add(__TSR_key);
};
