import { deleteBackfill, pauseBackfill, requireDates, type TriggerState, withNext } from '@millrace/engine';
import type { Store, TriggerRecord } from '@millrace/store';
import { changeTrigger, type TriggerKey } from '../scheduler/changeTrigger.ts';
import { findTrigger, noTrigger } from '../scheduler/findTrigger.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { isActive } from '../scheduler/syncTriggers.ts';
import { stateOf, withState } from '../scheduler/triggerState.ts';
import { serverZone } from '../scheduler/zone.ts';
import type { FlowCache } from './flowCache.ts';

export type BackfillChange = 'pause' | 'unpause' | 'delete';

/** Pauses, resumes or cancels a backfill. */
export async function changeBackfill(
  key: TriggerKey,
  change: BackfillChange,
  parts: {
    readonly store: Store;
    readonly flows: FlowCache;
    readonly scheduler: Scheduler;
    readonly clock: () => number;
  },
): Promise<TriggerRecord> {
  const { flow, trigger } = await findTrigger(key, parts);
  const changed = await changeTrigger(key, parts.store, (row) => {
    const state = stateOf(row);
    const next: TriggerState =
      change === 'delete'
        ? deleteBackfill(state)
        : pauseBackfill(state, change === 'pause', requireDates(trigger, serverZone), parts.clock());
    const isWaiting = !row.disabled && isActive(flow, trigger);
    return withState(row, isWaiting ? next : withNext(next, undefined), parts.clock());
  });
  if (!changed) throw noTrigger(key);
  parts.scheduler.wake();
  return changed;
}
