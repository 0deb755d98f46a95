import type { Execution } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { executionQuery } from '../../../api/followExecution.ts';
import { showSuccess } from '../../../shell/toasts.ts';

interface Act {
  execution: Execution;
  /** What the user reads once it is done. */
  done: string;
  onDone: () => void;
}

/** Does something to one execution: what it changed is shown at once, what it made is opened. */
export function useExecutionMutation({ execution, done, onDone }: Act) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    // Some calls answer with the execution, others with nothing.
    mutationFn: (act: () => Promise<Execution | undefined>) => act(),
    onSuccess: async (changed) => {
      if (changed) client.setQueryData(executionQuery(changed.id).queryKey, changed);
      else void client.invalidateQueries({ queryKey: executionQuery(execution.id).queryKey });
      void client.invalidateQueries({ queryKey: ['executions'] });
      showSuccess(done);
      onDone();
      if (!changed || changed.id === execution.id) return;
      const { namespace, flowId, id } = changed;
      await navigate({
        to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
        params: { namespace, flowId, id, tab: 'gantt' },
        search: {},
      });
    },
  });
}
