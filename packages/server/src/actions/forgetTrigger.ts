import type { Product } from '../product.ts';
import type { TriggerKey } from '../triggers/changeTrigger.ts';
import { noTrigger } from '../triggers/findTrigger.ts';
import { newRow } from '../triggers/syncTriggers.ts';

/** Forgets what a trigger remembers, its lock included. One that its flow still defines starts over. */
export async function forgetTrigger(
  key: TriggerKey,
  { store, flows, clock, scheduler }: Pick<Product, 'store' | 'flows' | 'clock' | 'scheduler'>,
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
