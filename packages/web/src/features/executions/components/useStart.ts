import { type Execution, executions, type Label } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { call } from '../../../api/call.ts';
import { executionQuery } from '../../../api/followExecution.ts';
import { readSetting } from '../../../storage/settings.ts';
import type { FlowKey } from '../../flows/index.ts';
import { nextStep, tourIndex } from '../../tour/index.ts';
import { type InputValues, toFormData } from '../inputValues.ts';

interface Start {
  values: InputValues;
  labels: readonly Label[];
  /** The moment to start at, instead of now. */
  scheduleDate: string | undefined;
  /** The latest one unless given. */
  revision: number | undefined;
}

/** Starts a flow and opens its execution, in this tab or a new one as the settings say. */
export function useStart({ namespace, id }: FlowKey, onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  return useMutation({
    mutationFn: ({ values, labels, scheduleDate, revision }: Start): Promise<Execution> =>
      call(executions.triggerExecution, {
        params: { namespace, id },
        query: {
          wait: false,
          labels: labels.filter(({ key }) => key).map(({ key, value }) => `${key}:${value}`),
          scheduleDate,
          revision,
        },
        body: toFormData(values),
        failures: 'handled',
      }),
    onSuccess: async (execution) => {
      client.setQueryData(executionQuery(execution.id).queryKey, execution);
      void client.invalidateQueries({ queryKey: ['executions'] });
      onClose();
      const isTour = tourIndex() >= 0;
      const tab = isTour ? 'gantt' : readSetting('executionTab');
      const target = {
        to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
        params: { namespace, flowId: id, id: execution.id, tab: tab === 'overview' ? undefined : tab },
        search: {},
      } as const;
      if (!isTour && readSetting('executeIn') === 'new tab')
        window.open(router.buildLocation(target).publicHref, '_blank', 'noopener');
      else await navigate(target);
      if (isTour) nextStep();
    },
  });
}
