import { clockSkewMs, correctClock } from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger } from './changeTrigger.ts';
import { againAtOnce, isEvaluated, stateOf, withState } from './triggerState.ts';
import { serverZone } from './zone.ts';

const pageSize = 500;

/**
 * Triggers that were written by a clock that was ahead wait for a date that lies too far in the future: their next date
 * is set again from the real time. Returns how many there were.
 */
export async function correctTriggers({
  store,
  flows,
  clock,
}: Pick<Product, 'store' | 'flows' | 'clock'>): Promise<number> {
  let corrected = 0;
  for (let page = 1; ; page++) {
    const { results } = await store.listTriggers({ page, size: pageSize, filters: [] });
    for (const row of results) {
      if (row.problem !== undefined || !isFromAhead(row, clock())) continue;
      const { namespace, flowId, triggerId } = row;
      const found = await flows.find(namespace, flowId);
      const trigger = found?.runnable.triggers?.find(({ id }) => id === triggerId);
      // One whose definition cannot be read waits for a change of its flow.
      if (!trigger || found?.problem !== undefined) continue;
      await changeTrigger(row, store, (current) => {
        const now = clock();
        const state = stateOf(current);
        const next = isEvaluated(current)
          ? pollAgain(current, now)
          : correctClock(trigger, state, now, serverZone);
        if (next === state || next === undefined) return undefined;
        corrected++;
        return withState(current, next, now);
      });
    }
    if (results.length < pageSize) return corrected;
  }
}

const isFromAhead = ({ updatedAt, evaluatedAt = 0 }: TriggerRecord, now: number): boolean =>
  Math.max(updatedAt, evaluatedAt) > now + clockSkewMs;

function pollAgain(row: TriggerRecord, now: number): ReturnType<typeof stateOf> | undefined {
  const state = stateOf(row);
  if ((state.evaluatedAt ?? 0) <= now + clockSkewMs || state.disabled) return undefined;
  return againAtOnce(row, { ...state, evaluatedAt: now }, now);
}
