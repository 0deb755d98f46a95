import { type Configuration, provider } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { browserId } from '../../storage/uid.ts';

/** The news, newest first. Without them the panel says so; nothing else suffers. */
export const feedsQuery = ({ version, uuid }: Pick<Configuration, 'version' | 'uuid'>) =>
  queryOptions({
    queryKey: ['provider', 'feeds'],
    queryFn: async ({ signal }) => {
      const query = { version, iid: uuid, uid: browserId() };
      const { feeds } = await call(provider.getFeeds, { query, signal, failures: 'handled' });
      return feeds.toSorted((a, b) => Date.parse(b.publicationDate) - Date.parse(a.publicationDate));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Whether the newest post is newer than what was seen last. */
export function isUnread(feeds: readonly provider.Feed[], lastSeen: string | undefined): boolean {
  const newest = feeds[0]?.publicationDate;
  return newest !== undefined && (lastSeen === undefined || Date.parse(newest) > Date.parse(lastSeen));
}

export function markSeen(feeds: readonly provider.Feed[]): void {
  if (isUnread(feeds, readStored('feeds'))) writeStored('feeds', feeds[0]?.publicationDate);
}
