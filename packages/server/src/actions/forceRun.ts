import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { Admission } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecutionRecord, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import { reserveSlot } from './withSlot.ts';

/** Makes an execution that has not ended run now, whether it waits for a date, a slot or a user. */
export async function forceRun(
  executionId: string,
  parts: {
    readonly store: Store;
    readonly flows: FlowCache;
    readonly executor: ExecutorPort;
    readonly admission: Admission;
  },
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  const flow = await findFlowToRun(parts, execution);
  return reserveSlot(parts, { flow, execution }, () =>
    parts.executor.request(executionId, { type: 'forceRun' }),
  );
}
