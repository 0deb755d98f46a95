import { inbox } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

const everyMs = 15_000;

export const inboxQuery = (query: { namespace?: string | undefined; hidden: boolean }) =>
  queryOptions({
    queryKey: ['inbox', currentTenant(), query],
    queryFn: ({ signal }) =>
      call(inbox.readInbox, {
        query: { hidden: query.hidden, ...(query.namespace && { namespace: query.namespace }) },
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });

export const inboxCountQuery = () =>
  queryOptions({
    queryKey: ['inbox', currentTenant(), 'count'],
    queryFn: ({ signal }) => call(inbox.countInbox, { signal, failures: 'handled' }),
    refetchInterval: 2 * everyMs,
    retry: false,
  });

export const failuresQuery = (groupId: string, size: number) =>
  queryOptions({
    queryKey: ['inbox', currentTenant(), 'failures', groupId, size],
    queryFn: ({ signal }) =>
      call(inbox.listFailures, { params: { groupId }, query: { size }, signal, failures: 'handled' }),
    placeholderData: keepPreviousData,
  });
