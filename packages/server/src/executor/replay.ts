import type { ExecutionRecord } from '@millrace/contract';
import { replay } from '@millrace/engine';
import { Conflict } from '@millrace/store';
import type { ExecutorParts } from './executorParts.ts';
import type { ExecutorPort } from './executorPort.ts';

/** Memo that a replacement inherits: the call that it returns to, and its depth in calls and triggers. */
const inherited = ['childIndex', 'depth', 'triggerDepth', 'callerOutputs', 'storesOutputs'];

/**
 * Replays an execution as a new one, as its retry policy asks, and returns the new id. Idempotent. Callers that wait for
 * the execution wait for the new one from then on.
 */
export async function replayFromStart(
  source: ExecutionRecord,
  { store, flows, environment, clock }: ExecutorParts,
  executor: ExecutorPort,
): Promise<string> {
  const { runnable } = await flows.findRunnable(source.namespace, source.flowId, source.flowRevision);
  const wanted = { id: environment.newId(), now: clock() };
  const { execution } = replay(runnable, { execution: source, taskRuns: [] }, wanted, environment);
  const memo = Object.fromEntries(
    Object.entries(source.memo ?? {}).filter(([name]) => inherited.includes(name)),
  );
  const key = replayKey(source);
  try {
    await executor.create(runnable, { ...execution, memo }, key);
  } catch (error) {
    const other = error instanceof Conflict ? await store.findExecutionByKey(key) : undefined;
    if (other === undefined) throw error;
    return other;
  }
  notifyOfReplacement(source, execution.id, executor);
  return execution.id;
}

export const replayKey = ({ id, attemptNumber }: ExecutionRecord): string =>
  `replay/${id}/${attemptNumber + 1}`;

function notifyOfReplacement(
  { memo, trigger }: ExecutionRecord,
  executionId: string,
  executor: ExecutorPort,
): void {
  const index = memo?.childIndex;
  const { executionId: parentId, taskRunId } = trigger?.variables ?? {};
  if (typeof index !== 'number' || typeof parentId !== 'string') return;
  executor.notify(parentId, { type: 'childCreated', taskRunId: String(taskRunId), executionId, index });
}
