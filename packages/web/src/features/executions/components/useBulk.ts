import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trackJob } from '../../../shell/jobs/trackedJobs.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { executionsQuery } from '../queries.ts';
import type { actOnMany } from './actOnMany.ts';
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

const changes = ['executions', 'execution', 'stats'];

interface BulkOptions {
  /** The name of the action, for one that takes long. */
  title: string;
  done: (count: number) => string;
  onDone: () => void;
}

/** Acts on many executions, says how many it were, and lets every list look again. */
export function useBulk({ title, done, onDone }: BulkOptions) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: () => ReturnType<typeof actOnMany>) => act(),
    onSuccess: (result) => {
      if ('jobId' in result) trackJob({ id: result.jobId, title, changes });
      else showSuccess(done(result.reply.count));
      onDone();
    },
    // A refusal means that the list shows old states.
    onSettled: () => Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
