import type { ExecutionRecord, StateType } from '@millrace/contract';
import { releaseTrigger as release, type TriggerState, triggerTypeOf } from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger } from './changeTrigger.ts';
import { isEvaluated, stateOf, withoutEvaluation, withState } from './triggerState.ts';
import { serverZone } from './zone.ts';

export type ReleaseParts = Pick<Product, 'store' | 'flows' | 'clock'>;

/** An execution is over, or gone: the trigger that waited for it goes on, or is switched off by this end. */
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

/** `ended` is undefined when nobody knows how it ended. True when the row was changed. */
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
    // Those that run beside each other hold nothing, but their end may still stop the trigger.
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
 * Lets go of triggers whose execution ended without anybody telling them: the process stopped in between. True when
 * there were any.
 */
export async function releaseForgotten(parts: ReleaseParts & Pick<Product, 'executor'>): Promise<boolean> {
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
      if (execution && execution.overAt === undefined) continue;
      if (await letGo(row, executionId, execution?.state.current, parts)) isAny = true;
    }
    after = rows.at(-1)?.executionId;
    if (rows.length < pageSize) return isAny;
  }
}
