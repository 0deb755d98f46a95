import type { StateType } from '@millrace/contract';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';
import { findExecutionRecord, findFlowToRun } from './findExecution.ts';
import { holdPlace } from './holdPlace.ts';

/** Marks a task run and lets the execution go on from there, also when it had ended. */
export async function changeTaskRunState(
  executionId: string,
  mark: { readonly taskRunId: string; readonly state: StateType },
  parts: Pick<Product, 'store' | 'flows' | 'executor' | 'admission'>,
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  const flow = await findFlowToRun(parts, execution);
  return holdPlace(parts, { flow, execution }, () =>
    parts.executor.request(executionId, { type: 'changeTaskRunState', ...mark }),
  );
}
