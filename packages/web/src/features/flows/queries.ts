import { type Flow, flowParts, flows, type ReplyOf } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

export interface FlowKey {
  namespace: string;
  id: string;
}

/** What a list of flows shows unless its address says otherwise. */
export const flowOrder = { defaultSort: 'id:asc' };

export const flowsQuery = (search: Readonly<Record<string, unknown>> & { size: number }) =>
  queryOptions({
    queryKey: ['flows', currentTenant(), search],
    queryFn: ({ signal }) =>
      call(flows.searchFlows, { query: { ...search, sort: search.sort ?? 'id:asc' }, signal }),
    placeholderData: keepPreviousData,
  });

export const namespacesQuery = () =>
  queryOptions({
    queryKey: ['namespaces', currentTenant()],
    queryFn: ({ signal }) => call(flows.listNamespaces, { signal }),
    staleTime: 30_000,
  });

export const flowQuery = ({ namespace, id }: FlowKey) =>
  queryOptions({
    queryKey: ['flow', currentTenant(), namespace, id],
    queryFn: ({ signal }) =>
      call(flows.getFlow, {
        params: { namespace, id },
        query: { source: true, allowDeleted: true },
        signal,
      }),
  });

export type FlowQueryData = ReplyOf<typeof flows.getFlow>;

export const flowGraph = ({ namespace, id, revision }: FlowKey & { revision: number }) => ({
  queryKey: ['flow', currentTenant(), namespace, id, 'graph', revision],
  draw: (subflows: string | undefined, { signal }: { signal: AbortSignal }) =>
    call(flows.getFlowGraph, {
      params: { namespace, id },
      query: { revision, subflows },
      signal,
      failures: 'handled',
    }),
});

export const revisionsQuery = ({ namespace, id }: FlowKey) =>
  queryOptions({
    queryKey: ['flow', currentTenant(), namespace, id, 'revisions'],
    queryFn: ({ signal }) =>
      call(flows.listRevisions, { params: { namespace, id }, signal, failures: 'handled' }),
  });

export const dependenciesQuery = ({ namespace, id }: FlowKey, { expandAll = false } = {}) =>
  queryOptions({
    queryKey: ['dependencies', currentTenant(), namespace, id, { expandAll }],
    queryFn: ({ signal }) =>
      call(flowParts.getFlowDependencies, {
        params: { namespace, id },
        query: { expandAll, destinationOnly: false },
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

export interface Saving {
  source: string;
  /** The flow that gets a new revision; without it the source is a new flow. */
  key?: FlowKey;
  /** The revision that the source is based on, 0 for a new flow: with it the same save can be repeated safely. */
  baseRevision?: number | undefined;
  /** Why it is saved. */
  message?: string | undefined;
}

export function useSaveFlow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ source, key, baseRevision, message }: Saving) =>
      key
        ? call(flows.updateFlow, {
            params: { namespace: key.namespace, id: key.id },
            query: { baseRevision, message },
            body: source,
            failures: 'handled',
          })
        : call(flows.createFlow, { query: { baseRevision, message }, body: source, failures: 'handled' }),
    onSuccess: async (flow, { source }) => {
      client.setQueryData(flowQuery(flow).queryKey, { source, ...flow });
      await Promise.all([
        client.invalidateQueries({ queryKey: ['flows'] }),
        client.invalidateQueries({ queryKey: ['namespaces'] }),
        client.invalidateQueries({ queryKey: revisionsQuery(flow).queryKey }),
      ]);
    },
  });
}

export function useDeleteFlow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: FlowKey) => call(flows.deleteFlow, { params: key }),
    onSuccess: (_, key) => {
      client.removeQueries({ queryKey: flowQuery(key).queryKey });
      return client.invalidateQueries({ queryKey: ['flows'] });
    },
  });
}

/** A flow can be looked at only when it is deleted or its label says so. */
export const isReadOnly = ({ deleted, labels = [] }: Pick<Flow, 'deleted' | 'labels'>): boolean =>
  deleted || labels.some(({ key, value }) => key === 'system.readOnly' && value === 'true');

/** `a.b.c` is inside `a.b`, which is inside `a`. */
export function withParents(namespace: string): string[] {
  const parts = namespace.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}
