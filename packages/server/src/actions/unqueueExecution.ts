import type { UnqueueState } from '@millrace/contract';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';
import { findExecutionRecord, findFlowToRun } from './findExecution.ts';
import { holdPlace } from './holdPlace.ts';

/** Starts an execution that waits for a place, beyond the limit, or ends it without a start. */
export async function unqueueExecution(
  executionId: string,
  state: UnqueueState,
  parts: Pick<Product, 'store' | 'flows' | 'executor' | 'admission'>,
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  if (state !== 'RUNNING') return parts.executor.request(executionId, { type: 'unqueue', state });
  const flow = await findFlowToRun(parts, execution);
  return holdPlace(parts, { flow, execution }, () =>
    parts.executor.request(executionId, { type: 'unqueue' }),
  );
}
