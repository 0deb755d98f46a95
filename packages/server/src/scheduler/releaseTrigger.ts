import type { ExecutionRecord, StateType } from '@millrace/contract';
import { releaseTrigger as release, type TriggerState, triggerTypeOf } from '@millrace/engine';
import type { Store, TriggerRecord } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { changeTrigger } from './changeTrigger.ts';
import { isEvaluated, stateOf, withoutEvaluation, withState } from './triggerState.ts';
import { serverZone } from './zone.ts';

export type ReleaseParts = { readonly store: Store; readonly flows: FlowCache; readonly clock: () => number };

/** An execution ended or was deleted: unlocks the trigger that waited for it, or disables it. */
export async function releaseTrigger(execution: ExecutionRecord, parts: ReleaseParts): Promise<boolean> {
  const { namespace, flowId, trigger: origin } = execution;
  if (!origin || !mayHold(origin.type)) return false;
  const stored = await parts.store.getTrigger(namespace, flowId, origin.id);
  if (!stored || stored.problem !== undefined) return false;
  return letGo(stored, execution.id, execution.state.current, parts);
}

const mayHold = (type: string): boolean =>
  isEvaluated({ type }) ||
  ['core.trigger.Schedule', 'core.trigger.ScheduleOnDates'].includes(triggerTypeOf(type) ?? '');

/** `ended` is undefined when the final state is unknown. True when the row was changed. */
async function letGo(
  { namespace, flowId, triggerId }: TriggerRecord,
  executionId: string,
  ended: StateType | undefined,
  { store, flows, clock }: ReleaseParts,
): Promise<boolean> {
  const found = await flows.find(namespace, flowId);
  const trigger = found?.runnable.triggers?.find(({ id }) => id === triggerId);
  let isChanged = false;
  await changeTrigger({ namespace, flowId, triggerId }, store, (row) => {
    const isHeld = row.executionId === executionId;
    const isStopped = ended !== undefined && trigger?.stopAfter?.includes(ended) === true;
    // Concurrent executions do not lock the trigger, but their end may still disable it.
    const mayRunBeside = trigger?.allowConcurrent === true || row.evaluationStartedAt !== undefined;
    isChanged = isHeld || (isStopped && mayRunBeside && !row.disabled);
    if (!isChanged) return undefined;
    const now = clock();
    const state = stateOf(row);
    return withState(
      isStopped ? withoutEvaluation(row) : row,
      trigger ? release(trigger, state, ended ?? 'KILLED', now, { serverZone }) : unlocked(state),
      now,
    );
  });
  return isChanged;
}

export function unlocked(state: TriggerState): TriggerState {
  const { executionId: _, ...free } = state;
  return free;
}

const pageSize = 500;

/**
 * Unlocks triggers that missed the end of their execution because the process stopped in between. True when
 * there were any.
 */
export async function releaseForgotten(
  parts: ReleaseParts & { readonly executor: ExecutorPort },
): Promise<boolean> {
  let isAny = false;
  for (let after: string | undefined; ; ) {
    const rows = await parts.store.lockedTriggers({
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    for (const row of rows) {
      const { executionId } = row;
      if (executionId === undefined || parts.executor.holds(executionId)) continue;
      const execution = await parts.store.getExecutionRecord(executionId);
      if (execution && execution.closedAt === undefined) continue;
      if (await letGo(row, executionId, execution?.state.current, parts)) isAny = true;
    }
    after = rows.at(-1)?.executionId;
    if (rows.length < pageSize) return isAny;
  }
}
