import { type QueryInputOf, triggers } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { showSuccess } from '../../shell/toasts.ts';

export const triggersQuery = (query: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ['triggers', currentTenant(), query],
    queryFn: ({ signal }) =>
      call(triggers.searchTriggers, { query: query as QueryInputOf<typeof triggers.searchTriggers>, signal }), // Built from the server's own fields.
    placeholderData: keepPreviousData,
  });

interface Doing {
  act: () => Promise<unknown>;
  /** What the user reads once it is done. */
  done: string;
}

/** Does something to one trigger, says so, and lets every list of triggers look again. */
export function useTriggerAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act }: Doing) => act(),
    onSuccess: (_, { done }) => showSuccess(done),
    onSettled: () => client.invalidateQueries({ queryKey: ['triggers'] }),
  });
}

/** Only schedules have dates that can be planned and run again. */
export const isSchedule = (type: string): boolean => /(^|\.)Schedule(OnDates)?$/.test(type);
