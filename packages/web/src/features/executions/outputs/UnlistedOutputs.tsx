import { outputs } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { BrokenPart, Loading } from '../../../ui/index.ts';
import { ValueTree } from '../page/ValueTree.tsx';

interface UnlistedOutputsProps {
  executionId: string;
  taskRunId: string;
}

/** The outputs of a task run that is not among those that the page holds. */
export function UnlistedOutputs({ executionId, taskRunId }: UnlistedOutputsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['outputs', currentTenant(), executionId, taskRunId],
    queryFn: ({ signal }) =>
      call(outputs.getTaskRunOutputs, { params: { executionId, taskRunId }, signal, failures: 'handled' }),
  });
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  return data ? <ValueTree values={data} executionId={executionId} /> : <Loading />;
}
