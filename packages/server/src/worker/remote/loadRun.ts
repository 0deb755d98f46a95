import { LiveRun, type RunEnvironment } from '@millrace/engine';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { FlowCache } from '../../actions/flowCache.ts';

export interface LoadRunParts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly environment: RunEnvironment;
}

/** A read-only execution of another server, from its rows. Undefined when it or its flow no longer exists. */
export async function loadRun(
  executionId: string,
  { store, flows, environment }: LoadRunParts,
): Promise<LiveRun | undefined> {
  const stored = await store.getExecution(executionId);
  return stored && reviveRun(stored, { flows, environment });
}

/** The same for an execution that came with its job. */
export async function reviveRun(
  { execution, taskRuns }: ExecutionWithTaskRuns,
  { flows, environment }: Omit<LoadRunParts, 'store'>,
): Promise<LiveRun | undefined> {
  const found = await flows.find(execution.namespace, execution.flowId, execution.flowRevision);
  return found && new LiveRun(found.runnable, execution, taskRuns, environment);
}
