import { flowDrafts } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { type FlowKey, flowQuery, revisionsQuery } from './queries.ts';

const keyOf = ({ namespace, id }: FlowKey) => ['draftRevisions', currentTenant(), namespace, id] as const;

/** The half-done texts that authors saved for everyone, newest first. */
export const draftRevisionsQuery = ({ namespace, id }: FlowKey) =>
  queryOptions({
    queryKey: keyOf({ namespace, id }),
    queryFn: ({ signal }) =>
      call(flowDrafts.listDraftRevisions, { params: { namespace, id }, signal, failures: 'handled' }),
    retry: false,
    staleTime: 10_000,
  });

/** Saves, publishes and deletes drafts, and reads again what they change. */
export function useDraftRevisions({ namespace, id }: FlowKey) {
  const client = useQueryClient();
  const params = { namespace, id };
  const refresh = () => client.invalidateQueries({ queryKey: keyOf(params) });
  const save = useMutation({
    mutationFn: (body: { source: string; message?: string | undefined }) =>
      call(flowDrafts.saveDraftRevision, { params, body, failures: 'handled' }),
    onSuccess: refresh,
  });
  const publish = useMutation({
    mutationFn: (draftId: string) =>
      call(flowDrafts.publishDraftRevision, { params: { ...params, draftId }, failures: 'handled' }),
    onSuccess: () =>
      Promise.all([
        refresh(),
        client.invalidateQueries({ queryKey: flowQuery(params).queryKey }),
        client.invalidateQueries({ queryKey: revisionsQuery(params).queryKey }),
      ]),
  });
  const remove = useMutation({
    mutationFn: (draftId: string) =>
      call(flowDrafts.deleteDraftRevision, { params: { ...params, draftId }, failures: 'handled' }),
    onSuccess: refresh,
  });
  return { save, publish, remove };
}
