import { deleteBackfill, pauseBackfill, requireDates, type TriggerState, withNext } from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger, type TriggerKey } from '../triggers/changeTrigger.ts';
import { findTrigger, noTrigger } from '../triggers/findTrigger.ts';
import { isActive } from '../triggers/syncTriggers.ts';
import { stateOf, withState } from '../triggers/triggerState.ts';
import { serverZone } from '../triggers/zone.ts';

export type BackfillChange = 'pause' | 'unpause' | 'delete';

/** Pauses a backfill, goes on with it, or gives it up. */
export async function changeBackfill(
  key: TriggerKey,
  change: BackfillChange,
  parts: Pick<Product, 'store' | 'flows' | 'scheduler' | 'clock'>,
): Promise<TriggerRecord> {
  const { flow, trigger } = await findTrigger(key, parts);
  const changed = await changeTrigger(key, parts.store, (row) => {
    const state = stateOf(row);
    const next: TriggerState =
      change === 'delete'
        ? deleteBackfill(state)
        : pauseBackfill(state, change === 'pause', requireDates(trigger, serverZone));
    const isWaiting = !row.disabled && isActive(flow, trigger);
    return withState(row, isWaiting ? next : withNext(next, undefined), parts.clock());
  });
  if (!changed) throw noTrigger(key);
  parts.scheduler.wake();
  return changed;
}
