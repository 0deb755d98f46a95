import { AppError } from '@millrace/contract';
import { type Replayed, replay } from '@millrace/engine';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';
import { holdPlace } from './holdPlace.ts';
import { type InputParts, readInputs } from './readInputs.ts';

export interface ReplayRequest {
  readonly taskRunId?: string;
  readonly revision?: number | 'latest';
  /** Replace those of the source; absent ones take their defaults. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Of the new execution; chosen already when files were stored for it. */
  readonly id?: string;
}

type Parts = InputParts &
  Pick<Product, 'store' | 'flows' | 'executor' | 'admission' | 'environment' | 'clock' | 'log'>;

/**
 * Does an execution again as a new one. From the beginning it waits for a place as any other start does; from a task
 * run on it goes on at once.
 */
export async function replayExecution(
  executionId: string,
  request: ReplayRequest,
  parts: Parts,
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
  else await holdPlace(parts, { flow, ...replayed }, () => parts.executor.adopt(flow, replayed));
  await markSource(executionId, parts);
  return replayed;
}

async function revisionOf(
  { execution }: ExecutionWithTaskRuns,
  { revision }: ReplayRequest,
  { flows }: Parts,
): Promise<number> {
  if (revision !== 'latest') return revision ?? execution.flowRevision;
  const latest = await flows.find(execution.namespace, execution.flowId);
  return latest?.record.revision ?? execution.flowRevision;
}

/** The new execution is on its way already: that its source cannot carry the label is no failure of the replay. */
async function markSource(executionId: string, { executor, log }: Parts): Promise<void> {
  try {
    await executor.request(executionId, { type: 'replayed' });
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'not-found';
    if (!isGone) log.warn('The source of a replay could not be labelled.', { executionId, error });
  }
}
