import type { Store } from '@millrace/store';
import type { TriggerKey } from '../scheduler/changeTrigger.ts';
import { noTrigger } from '../scheduler/findTrigger.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { newRow } from '../scheduler/syncTriggers.ts';
import type { FlowCache } from './flowCache.ts';

/** Resets the state of a trigger, including its lock. A trigger that its flow still defines starts over. */
export async function resetTrigger(
  key: TriggerKey,
  {
    store,
    flows,
    clock,
    scheduler,
  }: {
    readonly store: Store;
    readonly flows: FlowCache;
    readonly clock: () => number;
    readonly scheduler: Scheduler;
  },
): Promise<void> {
  const { namespace, flowId, triggerId } = key;
  const row = await store.getTrigger(namespace, flowId, triggerId);
  if (!row) throw noTrigger(key);
  const found = await flows.find(namespace, flowId);
  const trigger = found?.runnable.triggers?.find(({ id }) => id === triggerId);
  const clear = { op: 'window.clear', namespace, flowId, triggerId } as const;
  if (!found || found.record.deleted || !trigger) {
    await store.commit([{ op: 'trigger.delete', namespace, flowId, triggerId }, clear]);
    await scheduler.changed(key);
    return;
  }
  const now = Math.max(clock(), row.updatedAt + 1);
  const fresh = { ...newRow(found.runnable, trigger, clock()), updatedAt: now };
  await store.commit([{ op: 'trigger.put', trigger: fresh }, clear]);
  await scheduler.changed(key);
}
