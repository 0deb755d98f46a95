import type { StateType } from '@millrace/contract';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';

/** Changes the state of an execution that has ended into another end; nothing runs. */
export function changeStatus(
  executionId: string,
  state: StateType,
  { executor }: { readonly executor: ExecutorPort },
): Promise<ExecutionWithTaskRuns> {
  return executor.request(executionId, { type: 'changeState', state });
}
