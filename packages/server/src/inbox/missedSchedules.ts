import type { InboxItem } from '@millrace/contract';
import type { Op, Store, TriggerKey } from '@millrace/store';

/** Schedules with dates that passed without an execution while no server ran, by the time it was noticed. */
export const missedKind = 'inbox.missed';

const maxRows = 200;
const shownForMs = 14 * 86_400_000;

type Missed = TriggerKey & { readonly firstAt: number };

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

export async function missedSchedules(now: number, store: Store): Promise<InboxItem[]> {
  const documents = await store.listDocuments({
    kind: missedKind,
    from: now - shownForMs,
    descending: true,
    limit: maxRows,
  });
  return documents.map(({ id, at, data }) => {
    // `as`: written by `putMissed`.
    const { namespace, flowId, triggerId, firstAt } = data as Missed;
    const dates = { at: new Date(at).toISOString(), firstAt: new Date(firstAt).toISOString() };
    return { kind: 'missed', key: `missed/${id}`, namespace, flowId, triggerId, ...dates };
  });
}
