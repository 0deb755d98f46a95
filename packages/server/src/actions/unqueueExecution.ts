import type { UnqueueState } from '@millrace/contract';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { Admission } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecutionRecord, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import { reserveSlot } from './withSlot.ts';

/** Starts a queued execution beyond the concurrency limit, or ends it without a start. */
export async function unqueueExecution(
  executionId: string,
  state: UnqueueState,
  parts: {
    readonly store: Store;
    readonly flows: FlowCache;
    readonly executor: ExecutorPort;
    readonly admission: Admission;
  },
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  if (state !== 'RUNNING') return parts.executor.request(executionId, { type: 'unqueue', state });
  const flow = await findFlowToRun(parts, execution);
  return reserveSlot(parts, { flow, execution }, () =>
    parts.executor.request(executionId, { type: 'unqueue' }),
  );
}
