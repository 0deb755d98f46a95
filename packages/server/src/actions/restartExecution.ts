import { type RunEnvironment, restartAs } from '@millrace/engine';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { Admission } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import { reserveSlot } from './withSlot.ts';

type Parts = {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly admission: Admission;
  readonly environment: RunEnvironment;
  readonly clock: () => number;
};

/** Runs the failed tasks again: in the same execution or, on another revision, as a new one. */
export async function restartExecution(
  executionId: string,
  revision: number | undefined,
  parts: Parts,
): Promise<ExecutionWithTaskRuns> {
  const source = await findExecution(parts, executionId);
  const flow = await findFlowToRun(parts, source.execution, revision);
  if (revision === undefined) {
    return reserveSlot(parts, { flow, execution: source.execution }, () =>
      parts.executor.request(executionId, { type: 'restart' }),
    );
  }
  const wanted = { id: parts.environment.newId(), now: parts.clock() };
  const restarted = restartAs(flow, source, wanted, parts.environment);
  await reserveSlot(parts, { flow, execution: restarted.execution }, () =>
    parts.executor.adopt(flow, restarted),
  );
  return restarted;
}
