import { AppError } from '@millrace/contract';
import type { Store, TriggerRecord } from '@millrace/store';
import { changeTrigger, type TriggerKey } from '../scheduler/changeTrigger.ts';
import { noTrigger } from '../scheduler/findTrigger.ts';
import { unlocked } from '../scheduler/releaseTrigger.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { againAtOnce, stateOf, withoutEvaluation, withState } from '../scheduler/triggerState.ts';

/** Unlocks a trigger before its execution ended; the next execution may then run in parallel. */
export async function unlockTrigger(
  key: TriggerKey,
  {
    store,
    clock,
    scheduler,
  }: { readonly store: Store; readonly clock: () => number; readonly scheduler: Scheduler },
): Promise<TriggerRecord> {
  const changed = await changeTrigger(key, store, (row) => {
    if (row.executionId === undefined && row.evaluationStartedAt === undefined) {
      throw new AppError('illegal-state', `the trigger "${key.triggerId}" is not locked`);
    }
    const state = unlocked(stateOf(row));
    const isEvaluating = row.evaluationStartedAt !== undefined;
    return withState(
      withoutEvaluation(row),
      isEvaluating ? againAtOnce(row, state, clock()) : state,
      clock(),
    );
  });
  if (!changed) throw noTrigger(key);
  await scheduler.changed(key);
  return changed;
}
