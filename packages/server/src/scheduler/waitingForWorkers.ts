import { Conflict, type Store, type TriggerRecord, type TriggerSource } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { putAsRead } from './changeTrigger.ts';
import { triggerLog } from './triggeredExecution.ts';

const atOnce = 100;

interface Parts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly source: TriggerSource;
  readonly hasWorkers?: (group: string) => boolean;
}

/** Due triggers whose worker group has no worker log this once; they stay due until a worker joins. */
export async function logMissingWorkers(now: number, parts: Parts): Promise<void> {
  const { store, source, hasWorkers } = parts;
  if (source !== 'ungrouped' || !hasWorkers) return;
  for (const row of await store.dueTriggers(now, atOnce, 'grouped')) {
    const { workerGroup } = row;
    if (workerGroup === undefined || row.memo?.waitsFor === workerGroup || hasWorkers(workerGroup)) continue;
    await tell({ ...row, workerGroup }, now, parts).catch((error: unknown) => {
      // Another server has logged it, or a worker has claimed the trigger.
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
