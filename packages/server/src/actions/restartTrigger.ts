import type { Store, TriggerRecord } from '@millrace/store';
import { changeTrigger, type TriggerKey } from '../scheduler/changeTrigger.ts';
import { noTrigger } from '../scheduler/findTrigger.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { againAtOnce, stateOf, withoutEvaluation, withState } from '../scheduler/triggerState.ts';

/** Clears the last evaluation date and any running evaluation, so that the trigger is evaluated again. */
export async function restartTrigger(
  key: TriggerKey,
  {
    store,
    clock,
    scheduler,
  }: { readonly store: Store; readonly clock: () => number; readonly scheduler: Scheduler },
): Promise<TriggerRecord> {
  const changed = await changeTrigger(key, store, (row) => {
    const { evaluatedAt: _, ...state } = stateOf(row);
    return withState(withoutEvaluation(row), againAtOnce(row, state, clock()), clock());
  });
  if (!changed) throw noTrigger(key);
  await scheduler.changed(key);
  return changed;
}
