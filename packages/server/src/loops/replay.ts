import type { ExecutionRecord } from '@millrace/contract';
import { createExecution } from '@millrace/engine';
import { Conflict } from '@millrace/store';
import type { Executor } from './executor.ts';
import type { EffectParts } from './executorEffects.ts';

/** Starts an execution over as a new one, as a retry asks for it. Asked twice, it still happens once. */
export async function replayFromStart(
  execution: ExecutionRecord,
  parts: EffectParts,
  executor: Executor,
): Promise<void> {
  const { namespace, flowId, flowRevision, inputs, trigger } = execution;
  const { flow } = await parts.flows.findRunnable(namespace, flowId, flowRevision);
  const created = createExecution(flow, {
    id: parts.environment.newId(),
    tenantId: execution.tenantId,
    now: parts.clock(),
    labels: [...execution.labels, { key: 'system.replay', value: 'true' }],
    ...(inputs ? { inputs } : {}),
    ...(trigger ? { trigger } : {}),
  });
  const replayed: ExecutionRecord = {
    ...created,
    parentId: execution.id,
    originalId: execution.originalId,
    attemptNumber: execution.attemptNumber + 1,
    originalCreatedAt: execution.originalCreatedAt,
  };
  try {
    await executor.create(flow, replayed, `replay/${execution.id}/${replayed.attemptNumber}`);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
