import { AppError } from '@millrace/contract';
import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger, type TriggerKey } from '../triggers/changeTrigger.ts';
import { noTrigger } from '../triggers/findTrigger.ts';
import { unlocked } from '../triggers/releaseTrigger.ts';
import { stateOf, withState } from '../triggers/triggerState.ts';

/** Lets a trigger go on although its execution has not ended; the two may run beside each other then. */
export async function unlockTrigger(
  key: TriggerKey,
  { store, clock, scheduler }: Pick<Product, 'store' | 'clock' | 'scheduler'>,
): Promise<TriggerRecord> {
  const changed = await changeTrigger(key, store, (row) => {
    if (row.executionId === undefined && row.evaluationStartedAt === undefined) {
      throw new AppError('illegal-state', `the trigger "${key.triggerId}" is not locked`);
    }
    const { evaluationStartedAt: _, ...rest } = row;
    return withState(rest, unlocked(stateOf(row)), clock());
  });
  if (!changed) throw noTrigger(key);
  scheduler.wake();
  return changed;
}
