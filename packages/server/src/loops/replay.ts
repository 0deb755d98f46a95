import type { ExecutionRecord } from '@millrace/contract';
import { replay } from '@millrace/engine';
import { Conflict } from '@millrace/store';
import type { Executor } from './executor.ts';
import type { EffectParts } from './executorEffects.ts';

/** Starts an execution over as a new one, as a retry asks for it. Asked twice, it still happens once. */
export async function replayFromStart(
  source: ExecutionRecord,
  { flows, environment, clock }: EffectParts,
  executor: Executor,
): Promise<void> {
  const { runnable } = await flows.findRunnable(source.namespace, source.flowId, source.flowRevision);
  const wanted = { id: environment.newId(), now: clock() };
  const { execution } = replay(runnable, { execution: source, taskRuns: [] }, wanted, environment);
  try {
    await executor.create(runnable, execution, `replay/${source.id}/${execution.attemptNumber}`);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
