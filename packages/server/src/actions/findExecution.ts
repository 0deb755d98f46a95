import { AppError, type ExecutionRecord, type Flow } from '@millrace/contract';
import type { Store, StoredExecution } from '@millrace/store';
import type { FlowCache } from './flowCache.ts';

export async function findExecution(
  { store }: { readonly store: Store },
  id: string,
): Promise<StoredExecution> {
  const stored = await store.getExecution(id);
  if (!stored) throw new AppError('not-found', `there is no execution "${id}"`);
  return stored;
}

/** The same without its task runs, of which there may be very many. */
export async function findExecutionRecord(
  { store }: { readonly store: Store },
  id: string,
): Promise<ExecutionRecord> {
  const execution = await store.getExecutionRecord(id);
  if (!execution) throw new AppError('not-found', `there is no execution "${id}"`);
  return execution;
}

/** The flow that an execution continues with: its own revision, or the requested one. */
export async function findFlowToRun(
  { flows }: { readonly flows: FlowCache },
  { namespace, flowId, flowRevision }: ExecutionRecord,
  revision = flowRevision,
): Promise<Flow> {
  const found = await flows.find(namespace, flowId, revision);
  if (!found || found.record.deleted) {
    throw new AppError('not-found', `there is no revision ${revision} of the flow "${flowId}"`);
  }
  if (found.problem !== undefined) {
    throw new AppError('illegal-state', `the flow "${flowId}" cannot be run: ${found.problem}`);
  }
  return found.runnable;
}
