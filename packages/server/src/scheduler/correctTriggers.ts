import { clockSkewMs, correctClock } from '@millrace/engine';
import type { Store, TriggerRecord } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { changeTrigger } from './changeTrigger.ts';
import { againAtOnce, isEvaluated, stateOf, withState } from './triggerState.ts';
import { serverZone } from './zone.ts';

const pageSize = 500;

/**
 * Triggers written while the clock was ahead wait for a date too far in the future: computes their next date
 * again from the current time. Returns the number of corrected triggers.
 */
export async function correctTriggers({
  store,
  flows,
  clock,
}: {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly clock: () => number;
}): Promise<number> {
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
