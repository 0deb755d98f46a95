import { playground } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

export interface FlowName {
  readonly namespace: string;
  readonly id: string;
}

/** The tasks that would run, and the outputs that would be reused. */
export const planQuery = ({ namespace, id }: FlowName, request: playground.PlaygroundRequest) =>
  queryOptions({
    queryKey: ['playground', currentTenant(), namespace, id, request],
    queryFn: ({ signal }) =>
      call(playground.planPlayground, {
        params: { namespace, id },
        body: request,
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const startPlayground = ({ namespace, id }: FlowName, request: playground.PlaygroundRequest) =>
  call(playground.startPlayground, { params: { namespace, id }, body: request, failures: 'handled' });
