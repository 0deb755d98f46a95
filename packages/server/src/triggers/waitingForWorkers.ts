import { Conflict, type TriggerRecord } from '@millrace/store';
import { putAsRead } from './changeTrigger.ts';
import type { SchedulerParts } from './scheduler.ts';
import { triggerLog } from './triggeredExecution.ts';

const atOnce = 100;

type Parts = Pick<SchedulerParts, 'store' | 'flows' | 'source' | 'hasWorkers'>;

/** Triggers that are due and whose workers are not there say so in their log, once; they stay due until one comes. */
export async function tellWaiting(now: number, parts: Parts): Promise<void> {
  const { store, source, hasWorkers } = parts;
  if (source !== 'ungrouped' || !hasWorkers) return;
  for (const row of await store.dueTriggers(now, atOnce, 'grouped')) {
    const { workerGroup } = row;
    if (workerGroup === undefined || row.memo?.waitsFor === workerGroup || hasWorkers(workerGroup)) continue;
    await tell({ ...row, workerGroup }, now, parts).catch((error: unknown) => {
      // Somebody else has told, or has come to evaluate it.
      if (!(error instanceof Conflict)) throw error;
    });
  }
}

async function tell(
  row: TriggerRecord & { readonly workerGroup: string },
  now: number,
  { store, flows }: Parts,
): Promise<void> {
  const { namespace, flowId, triggerId, workerGroup } = row;
  const found = await flows.find(namespace, flowId);
  const trigger = found?.runnable.triggers?.find(({ id }) => id === triggerId);
  if (!found || !trigger) return;
  const message = `No worker of the group "${workerGroup}" is running; the trigger waits for one.`;
  await store.commit([
    putAsRead(row, {
      ...row,
      updatedAt: Math.max(now, row.updatedAt + 1),
      memo: { ...row.memo, waitsFor: workerGroup },
    }),
    { op: 'log.insert', log: triggerLog(found.runnable, trigger, { level: 'WARN', message, at: now }) },
  ]);
}
