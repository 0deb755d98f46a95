import type { TriggerDefinition } from '@millrace/contract';
import { conditionsOfTrigger } from '../conditions/evaluateCondition.ts';
import { hasUnrenderedDates, type ScheduleDates, scheduleDates } from './scheduleDates.ts';
import type { ScheduleContext } from './scheduleTrigger.ts';
import { findValidDate, holdsAt } from './validDates.ts';
import type { Zone } from './zone.ts';

interface Window {
  /** Dates after this instant and before the other. */
  readonly after: number;
  readonly before: number;
  /** Stops after this many dates, or four times as many tries. */
  readonly max: number;
}

interface CollectedDates {
  readonly dates: readonly number[];
  /** Every date before this instant is in the list; the end of the window unless there were too many. */
  readonly coveredUntil: number;
}

/** The dates of a schedule in a window at which its conditions hold; undefined when they cannot be known in advance. */
export async function collectDates(
  trigger: TriggerDefinition,
  { after, before, max }: Window,
  context: ScheduleContext,
): Promise<CollectedDates | undefined> {
  const dates = datesOf(trigger, context.serverZone);
  if (!dates) return undefined;
  const conditions = conditionsOfTrigger(trigger);
  const found: number[] = [];
  let tries = max * 4;
  for (let date = dates.after(after); date !== undefined && date < before; date = dates.after(date)) {
    if (found.length >= max || tries-- <= 0) return { dates: found, coveredUntil: date };
    if (conditions.length === 0 || (await maybeHolds(date, dates, conditions, context))) found.push(date);
  }
  return { dates: found, coveredUntil: before };
}

/** The next dates of a schedule, at most `count`; undefined when they cannot be known in advance. */
export async function nextDates(
  trigger: TriggerDefinition,
  after: number,
  count: number,
  context: ScheduleContext,
): Promise<readonly number[] | undefined> {
  const dates = datesOf(trigger, context.serverZone);
  if (!dates) return undefined;
  const conditions = conditionsOfTrigger(trigger);
  const found: number[] = [];
  let from = after;
  while (found.length < count) {
    const date = await findValidDate(dates, from, 'after', conditions, context);
    if (date === undefined) break;
    found.push(date);
    from = date;
  }
  return found;
}

function datesOf(trigger: TriggerDefinition, serverZone: string): ScheduleDates | undefined {
  return hasUnrenderedDates(trigger) ? undefined : scheduleDates(trigger, serverZone);
}

/** A date whose conditions fail to evaluate starts an execution that fails, so it is planned too. */
const maybeHolds = (...args: Parameters<typeof holdsAt>): Promise<boolean> =>
  holdsAt(...args).catch(() => true);

/** What a change of the clocks does to a date. */
export type DateNote =
  /** The local time of the schedule does not exist on that day: it runs at the moment of the change. */
  | { readonly kind: 'skipped'; readonly localTime: string }
  /** The local time occurs twice, and the schedule runs the first time only. */
  | { readonly kind: 'once' }
  /** The local time occurs twice, and the schedule runs both times. */
  | { readonly kind: 'twice' };

export function explainDate(
  trigger: TriggerDefinition,
  date: number,
  serverZone: string,
): DateNote | undefined {
  const dates = datesOf(trigger, serverZone);
  const skipped = dates?.skippedTime?.(date);
  if (skipped !== undefined)
    return { kind: 'skipped', localTime: new Date(skipped).toISOString().slice(11, 16) };
  if (!dates || !isRepeated(date, dates.zone)) return undefined;
  return { kind: dates.followsClock ? 'twice' : 'once' };
}

const day = 86_400_000;

/** True when the clocks of a zone show the local time of an instant twice. */
function isRepeated(at: number, zone: Zone): boolean {
  const lostBy = (change: number): number => zone.offsetAt(change - 1) - zone.offsetAt(change);
  const next = zone.changeAfter(at, at + day);
  if (next !== undefined && at >= next - lostBy(next)) return true;
  const last = zone.changeBefore(at, at - day);
  return last !== undefined && at < last + lostBy(last);
}

export interface OffsetChange {
  readonly at: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** The changes of a zone's offset after an instant and not after another. */
export function offsetChanges(zone: Zone, from: number, to: number): OffsetChange[] {
  const changes: OffsetChange[] = [];
  for (let at = zone.changeAfter(from, to); at !== undefined; at = zone.changeAfter(at, to))
    changes.push({ at, beforeMs: zone.offsetAt(at - 1), afterMs: zone.offsetAt(at) });
  return changes;
}
