import { Conflict, type Op, type Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { newRow } from './syncTriggers.ts';

const settingKey = 'triggers.adopted';
const pageSize = 500;

/** Gives the triggers of flows that were saved before triggers were stored their rows. Happens once per database. */
export async function adoptTriggers({
  store,
  flows,
  clock,
}: {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly clock: () => number;
}): Promise<void> {
  // An unreadable setting counts as not set and is written again: triggers that have rows are skipped.
  if ((await store.getSetting(settingKey).catch(() => undefined)) === true) return;
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size: pageSize, filters: [] });
    for (const record of results) {
      const { runnable, problem } = flows.read(record);
      if (problem !== undefined || !runnable.triggers || runnable.triggers.length === 0) continue;
      const known = new Set(
        (await store.listFlowTriggers(record.namespace, record.id)).map((row) => row.triggerId),
      );
      const ops = runnable.triggers
        .filter(({ id }) => !known.has(id))
        .map(
          (trigger): Op => ({
            op: 'trigger.put',
            trigger: newRow(runnable, trigger, clock()),
            expectUpdatedAt: null,
          }),
        );
      await store.commit(ops).catch((error: unknown) => {
        // Another server does the same at this moment.
        if (!(error instanceof Conflict)) throw error;
      });
    }
    if (results.length < pageSize) break;
  }
  await store.commit([{ op: 'setting.put', key: settingKey, value: true }]);
}
