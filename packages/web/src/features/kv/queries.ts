import { kv, type QueryInputOf } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

export const kvEntriesQuery = (query: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ['kv', currentTenant(), query],
    queryFn: ({ signal }) => call(kv.searchKv, { query: query as QueryInputOf<typeof kv.searchKv>, signal }), // Built from the server's own fields.
    placeholderData: keepPreviousData,
  });

/** The keys of exactly one namespace, to see whether a new one is free. */
export const kvKeysQuery = (namespace: string) =>
  queryOptions({
    queryKey: ['kv', currentTenant(), 'keys', namespace],
    queryFn: ({ signal }) => call(kv.listKv, { params: { namespace }, signal, failures: 'handled' }),
    enabled: namespace !== '',
  });

export const kvValueQuery = (namespace: string, key: string) =>
  queryOptions({
    queryKey: ['kv', currentTenant(), 'value', namespace, key],
    queryFn: ({ signal }) => call(kv.getKv, { params: { namespace, key }, signal, failures: 'handled' }),
    staleTime: 0,
    gcTime: 0,
  });
