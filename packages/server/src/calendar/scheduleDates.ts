import { AppError, type ScheduleDates } from '@millrace/contract';
import { explainDate, findZone, formatInZone, nextDates, triggerTypeOf } from '@millrace/engine';
import type { Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { InputParts } from '../actions/readInputs.ts';
import type { TriggerKey } from '../scheduler/changeTrigger.ts';
import { findTrigger } from '../scheduler/findTrigger.ts';
import { scheduleContext } from '../scheduler/scheduleContext.ts';
import { isActive } from '../scheduler/syncTriggers.ts';
import { stateOf } from '../scheduler/triggerState.ts';
import { serverZone } from '../scheduler/zone.ts';
import { presentChanges } from './presentChanges.ts';

/** The next dates of a schedule in its time zone, and what changes of the clocks do to them. */
export async function listScheduleDates(
  key: TriggerKey,
  count: number,
  parts: Pick<InputParts, 'environment' | 'host'> & {
    readonly store: Store;
    readonly flows: FlowCache;
    readonly clock: () => number;
  },
): Promise<ScheduleDates> {
  const { flow, trigger } = await findTrigger(key, parts);
  if (!triggerTypeOf(trigger.type)?.startsWith('core.trigger.Schedule'))
    throw new AppError('illegal-argument', `the trigger "${trigger.id}" is not a schedule`);
  const row = await parts.store.getTrigger(key.namespace, key.flowId, key.triggerId);
  const { backfill, nextAt, disabled = true } = row ? stateOf(row) : {};
  const isEnabled = !disabled && isActive(flow, trigger);
  const now = parts.clock();
  const next = backfill ? backfill.previousNextAt : nextAt;
  // A date that is due or late is the next date.
  const after = isEnabled && next !== undefined ? next - 1 : now;
  const timeZone = typeof trigger.timezone === 'string' ? trigger.timezone : serverZone;
  const zone = findZone(timeZone);
  const dates = await nextDates(trigger, after, count, scheduleContext(flow, parts)).catch(() => undefined);
  if (!dates || !zone) return { timeZone, dates: [], offsetChanges: [], state: 'unknown' };
  return {
    timeZone,
    dates: dates.map((date, index) => {
      const note = explainDate(trigger, date, serverZone);
      return {
        date: formatInZone(date, zone),
        isNewOffset: zone.offsetAt(date) !== zone.offsetAt(dates[index - 1] ?? now),
        ...(note ? { note: note.kind } : {}),
        ...(note?.kind === 'skipped' ? { localTime: note.localTime } : {}),
      };
    }),
    offsetChanges: presentChanges(timeZone, now, dates.at(-1) ?? now),
    state: !isEnabled ? 'disabled' : backfill ? 'backfill' : 'planned',
  };
}
