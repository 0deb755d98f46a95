import type { ExecutionRecord } from '@millrace/contract';
import { replay } from '@millrace/engine';
import { Conflict } from '@millrace/store';
import type { EffectParts } from './effectParts.ts';
import type { Executor } from './executor.ts';

/** What a replacement goes on with: whose call it answers, and how deep it is in calls and triggers. */
const inherited = ['childIndex', 'depth', 'triggerDepth', 'callerOutputs', 'storesOutputs'];

/**
 * Starts an execution over as a new one, as a retry asks for it. Asked twice, it still happens once. Whoever waits for
 * the execution waits for the new one from then on. Answers its id.
 */
export async function replayFromStart(
  source: ExecutionRecord,
  { store, flows, environment, clock }: EffectParts,
  executor: Executor,
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
  tellOfReplacement(source, execution.id, executor);
  return execution.id;
}

export const replayKey = ({ id, attemptNumber }: ExecutionRecord): string =>
  `replay/${id}/${attemptNumber + 1}`;

function tellOfReplacement(
  { memo, trigger }: ExecutionRecord,
  executionId: string,
  executor: Executor,
): void {
  const index = memo?.childIndex;
  const { executionId: parentId, taskRunId } = trigger?.variables ?? {};
  if (typeof index !== 'number' || typeof parentId !== 'string') return;
  executor.tell(parentId, { type: 'childCreated', taskRunId: String(taskRunId), executionId, index });
}
