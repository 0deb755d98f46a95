import { AppError } from '@millrace/contract';
import { Conflict, type Op, type Store, type TriggerKey, type TriggerRecord } from '@millrace/store';
import { unreadable } from '../unreadableRow.ts';

export type { TriggerKey };

/** More conflicts in a row than concurrent writers can cause. */
const maxTries = 100;

/**
 * Changes a trigger's row with optimistic locking: reads it, computes the change, writes it, and retries on a
 * conflict. A change of undefined writes nothing. Resolves with the resulting row, if any.
 */
export async function changeTrigger(
  { namespace, flowId, triggerId }: TriggerKey,
  store: Store,
  change: (row: TriggerRecord) => TriggerRecord | undefined,
): Promise<TriggerRecord | undefined> {
  for (let tries = 1; ; tries++) {
    const row = await store.getTrigger(namespace, flowId, triggerId);
    if (row?.problem !== undefined)
      throw new AppError('illegal-state', unreadable('trigger', triggerId, row.problem));
    const changed = row && change(row);
    if (!row || !changed) return row;
    try {
      await store.commit([putAsRead(row, changed)]);
      return changed;
    } catch (error) {
      if (!(error instanceof Conflict) || tries === maxTries) throw error;
    }
  }
}

/** The write of a row that was read before; it fails when the row has changed since. */
export const putAsRead = (row: TriggerRecord, changed: TriggerRecord): Op => ({
  op: 'trigger.put',
  trigger: changed,
  expectUpdatedAt: row.updatedAt,
});
