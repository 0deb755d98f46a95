import type { BulkResponse } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { showSuccess } from '../../../shell/toasts.ts';
import { executionsQuery } from '../queries.ts';
import type { BulkTarget } from './bulkTarget.ts';

/** How many executions a bulk call will be about; undefined while the server counts. */
export function useBulkCount(target: BulkTarget): number | undefined {
  const isQuery = target.kind === 'query';
  const { data } = useQuery({
    ...executionsQuery({ ...(isQuery ? target.filters : {}), size: 1 }),
    enabled: isQuery,
    staleTime: 0,
  });
  return target.kind === 'ids' ? target.ids.length : data?.total;
}

/** Acts on many executions, says how many it were, and lets every list look again. */
export function useBulk({ done, onDone }: { done: (count: number) => string; onDone: () => void }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: () => Promise<BulkResponse>) => act(),
    onSuccess: ({ count }) => {
      showSuccess(done(count));
      onDone();
    },
    // A refusal means that the list shows old states.
    onSettled: () =>
      Promise.all(
        ['executions', 'execution', 'stats'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      ),
  });
}
