import { AppError } from '@millrace/contract';
import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger, type TriggerKey } from '../triggers/changeTrigger.ts';
import { noTrigger } from '../triggers/findTrigger.ts';
import { unlocked } from '../triggers/releaseTrigger.ts';
import { againAtOnce, stateOf, withoutEvaluation, withState } from '../triggers/triggerState.ts';

/** Lets a trigger go on although its execution has not ended; the two may run beside each other then. */
export async function unlockTrigger(
  key: TriggerKey,
  { store, clock, scheduler }: Pick<Product, 'store' | 'clock' | 'scheduler'>,
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
