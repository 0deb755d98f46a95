import type { StateType } from '@millrace/contract';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { Admission } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecutionRecord, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import { reserveSlot } from './withSlot.ts';

/** Changes the state of a task run; the execution resumes from there, even when it had ended. */
export async function changeTaskRunState(
  executionId: string,
  mark: { readonly taskRunId: string; readonly state: StateType },
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
    parts.executor.request(executionId, { type: 'changeTaskRunState', ...mark }),
  );
}
