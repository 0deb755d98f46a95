import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';
import { findExecutionRecord, findFlowToRun } from './findExecution.ts';
import { holdPlace } from './holdPlace.ts';

/** Gets an execution that has not ended going, whatever it waits for: a date, a place, a person. */
export async function forceRun(
  executionId: string,
  parts: Pick<Product, 'store' | 'flows' | 'executor' | 'admission'>,
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  const flow = await findFlowToRun(parts, execution);
  return holdPlace(parts, { flow, execution }, () =>
    parts.executor.request(executionId, { type: 'forceRun' }),
  );
}
