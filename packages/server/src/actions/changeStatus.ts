import type { StateType } from '@millrace/contract';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';

/** Changes the state of an execution that has ended into another end; nothing runs. */
export function changeStatus(
  executionId: string,
  state: StateType,
  { executor }: Pick<Product, 'executor'>,
): Promise<ExecutionWithTaskRuns> {
  return executor.request(executionId, { type: 'changeState', state });
}
