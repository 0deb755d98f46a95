import { AppError } from '@millrace/contract';
import { Conflict, type Op, type Store, type TriggerKey, type TriggerRecord } from '@millrace/store';
import { unreadable } from '../unreadable.ts';

export type { TriggerKey };

/** More often than this nobody changes a row between reading and writing it. */
const maxTries = 100;

/**
 * Changes a trigger's row: reads it, asks what it should become, and writes that unless someone else was faster; then
 * it starts over. Undefined as an answer changes nothing. Resolves with the row as it is then; undefined without one.
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

/** The write of a row that was read before; it fails when someone else has written meanwhile. */
export const putAsRead = (row: TriggerRecord, changed: TriggerRecord): Op => ({
  op: 'trigger.put',
  trigger: changed,
  expectUpdatedAt: row.updatedAt,
});
