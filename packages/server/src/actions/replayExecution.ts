import { AppError } from '@millrace/contract';
import { type Replayed, type RunEnvironment, replay } from '@millrace/engine';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { Admission } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { ProcessLog } from '../processLog.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import { type InputParts, readInputs } from './readInputs.ts';
import { reserveSlot } from './withSlot.ts';

export interface ReplayRequest {
  readonly taskRunId?: string;
  readonly revision?: number | 'latest';
  /** Replace those of the source; absent ones take their defaults. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Of the new execution; chosen already when files were stored for it. */
  readonly id?: string;
}

export type ReplayParts = InputParts & {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly admission: Admission;
  readonly environment: RunEnvironment;
  readonly clock: () => number;
  readonly log: ProcessLog;
};

/**
 * Replays an execution as a new one. A replay from the beginning waits for a concurrency slot like any other
 * start; a replay from a task run starts at once.
 */
export async function replayExecution(
  executionId: string,
  request: ReplayRequest,
  parts: ReplayParts,
): Promise<ExecutionWithTaskRuns> {
  const source = await findExecution(parts, executionId);
  const flow = await findFlowToRun(parts, source.execution, await revisionOf(source, request, parts));
  const id = request.id ?? parts.environment.newId();
  const { taskRunId } = request;
  const wanted = {
    id,
    now: parts.clock(),
    ...(taskRunId === undefined ? {} : { taskRunId }),
    ...(request.inputs ? { inputs: await readInputs(flow, request.inputs, id, parts) } : {}),
  };
  const replayed: Replayed = replay(flow, source, wanted, parts.environment);
  if (taskRunId === undefined) await parts.executor.create(flow, replayed.execution);
  else await reserveSlot(parts, { flow, ...replayed }, () => parts.executor.adopt(flow, replayed));
  await markSource(executionId, parts);
  return replayed;
}

async function revisionOf(
  { execution }: ExecutionWithTaskRuns,
  { revision }: ReplayRequest,
  { flows }: ReplayParts,
): Promise<number> {
  if (revision !== 'latest') return revision ?? execution.flowRevision;
  const latest = await flows.find(execution.namespace, execution.flowId);
  return latest?.record.revision ?? execution.flowRevision;
}

/** The new execution has started, so a failure to label its source does not fail the replay. */
export async function markSource(executionId: string, { executor, log }: ReplayParts): Promise<void> {
  try {
    await executor.request(executionId, { type: 'replayed' });
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'not-found';
    if (!isGone) log.warn('The source of a replay could not be labelled.', { executionId, error });
  }
}
