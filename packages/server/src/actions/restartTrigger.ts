import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger, type TriggerKey } from '../triggers/changeTrigger.ts';
import { noTrigger } from '../triggers/findTrigger.ts';
import { againAtOnce, stateOf, withoutEvaluation, withState } from '../triggers/triggerState.ts';

/** Forgets when the trigger was evaluated last and that an evaluation is under way: it is evaluated anew. */
export async function restartTrigger(
  key: TriggerKey,
  { store, clock, scheduler }: Pick<Product, 'store' | 'clock' | 'scheduler'>,
): Promise<TriggerRecord> {
  const changed = await changeTrigger(key, store, (row) => {
    const { evaluatedAt: _, ...state } = stateOf(row);
    return withState(withoutEvaluation(row), againAtOnce(row, state, clock()), clock());
  });
  if (!changed) throw noTrigger(key);
  await scheduler.changed(key);
  return changed;
}
