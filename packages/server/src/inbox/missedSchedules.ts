import type { InboxItem } from '@millrace/contract';
import type { Op, Store, TriggerKey } from '@millrace/store';
import { z } from 'zod';
import { dataOf, StoredDate } from '../storedDocument.ts';

/** Schedules with dates that passed without an execution while no server ran, by the time it was noticed. */
export const missedKind = 'inbox.missed';

const maxRows = 200;
const shownForMs = 14 * 86_400_000;

const Missed = z.object({
  namespace: z.string(),
  flowId: z.string(),
  triggerId: z.string(),
  firstAt: StoredDate,
});
type Missed = z.infer<typeof Missed>;
type MissedItem = Extract<InboxItem, { kind: 'missed' }>;

/** Records that a schedule continues after dates that it skips. Only the last gap of a schedule is kept. */
export const putMissed = (
  { namespace, flowId, triggerId }: TriggerKey,
  firstAt: number,
  now: number,
): Op => ({
  op: 'document.put',
  document: {
    kind: missedKind,
    id: `${namespace}/${flowId}/${triggerId}`,
    at: now,
    data: { namespace, flowId, triggerId, firstAt } satisfies Missed,
  },
});

export async function missedSchedules(now: number, store: Store): Promise<MissedItem[]> {
  const documents = await store.listDocuments({
    kind: missedKind,
    from: now - shownForMs,
    descending: true,
    limit: maxRows,
  });
  return documents.flatMap((document): MissedItem[] => {
    const missed = dataOf(Missed, document);
    if (!missed) return [];
    const { firstAt, ...trigger } = missed;
    const dates = { at: new Date(document.at).toISOString(), firstAt: new Date(firstAt).toISOString() };
    return [{ kind: 'missed', key: `missed/${document.id}`, ...trigger, ...dates }];
  });
}
