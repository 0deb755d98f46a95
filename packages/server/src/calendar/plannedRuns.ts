import { setImmediate } from 'node:timers/promises';
import type { Flow, TriggerDefinition } from '@millrace/contract';
import { collectDates, recoveryOf } from '@millrace/engine';
import type { Filter, Store, TriggerRecord } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { InputParts } from '../actions/readInputs.ts';
import { scheduleContext } from '../scheduler/scheduleContext.ts';
import { isActive } from '../scheduler/syncTriggers.ts';
import { stateOf } from '../scheduler/triggerState.ts';
import { serverZone } from '../scheduler/zone.ts';

export interface PlanParts extends Pick<InputParts, 'environment' | 'host'> {
  readonly store: Store;
  readonly flows: FlowCache;
}

export interface PlannedSchedule {
  readonly trigger: TriggerDefinition;
  readonly timeZone: string;
  /** Every date before `coveredUntil`. */
  readonly dates: readonly number[];
  readonly coveredUntil: number;
  /** Dates per millisecond after `coveredUntil`; 0 when every date is listed. */
  readonly rate: number;
  readonly isHeld: boolean;
}

export interface PlannedFlow {
  readonly flow: Flow;
  readonly schedules: readonly PlannedSchedule[];
}

/** Schedules whose dates a calendar computes, those that run next first. */
const maxSchedules = 1_000;
/** Dates that one calendar computes, over all schedules: about 100 ms. */
const maxDates = 40_000;
/** Each schedule gets at least this many, whatever the others need. */
const fewestDates = 60;
/** The server handles other requests after this many dates. */
const datesPerTick = 2_000;

const scheduleTypes = ['core.trigger.Schedule', 'core.trigger.ScheduleOnDates'];

/** The dates that the enabled schedules of a scope plan in a window, by flow. */
export async function planRuns(
  { from, to, scope, now }: { from: number; to: number; now: number; scope: readonly Filter[] },
  parts: PlanParts,
): Promise<{ flows: ReadonlyMap<string, PlannedFlow>; isPartial: boolean }> {
  if (to <= now) return { flows: new Map(), isPartial: false };
  const { results, total } = await parts.store.listTriggers({
    filters: [
      ...scope,
      { field: 'type', operation: 'IN', value: scheduleTypes },
      { field: 'nextExecutionDate', operation: 'LESS_THAN', value: to },
    ],
    sort: [{ field: 'nextExecutionDate', descending: false }],
    page: 1,
    size: maxSchedules,
  });
  const flows = new Map<string, { flow: Flow; schedules: PlannedSchedule[] }>();
  let budget = maxDates;
  let computed = 0;
  // Frequent schedules run next, so the last ones of the list leave the most of the budget to the others.
  for (const [index, row] of [...results].reverse().entries()) {
    const found = await definitionOf(row, parts);
    if (!found) continue;
    const max = Math.max(fewestDates, Math.floor(budget / (results.length - index)));
    const schedule = await planSchedule(row, found, { from, to, now, max }, parts);
    if (!schedule) continue;
    const { namespace, flowId } = row;
    const key = `${namespace}/${flowId}`;
    const planned = flows.get(key) ?? { flow: found.flow, schedules: [] };
    planned.schedules.unshift(schedule);
    flows.set(key, planned);
    budget -= schedule.dates.length;
    computed += schedule.dates.length;
    if (computed >= datesPerTick) {
      computed = 0;
      await setImmediate();
    }
  }
  return { flows, isPartial: total > results.length };
}

interface Found {
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
}

async function definitionOf(row: TriggerRecord, { flows }: PlanParts): Promise<Found | undefined> {
  if (row.disabled || row.problem !== undefined) return undefined;
  const found = await flows.find(row.namespace, row.flowId).catch(() => undefined);
  if (!found || found.record.deleted || found.problem !== undefined) return undefined;
  const trigger = found.runnable.triggers?.find(({ id }) => id === row.triggerId);
  return trigger && isActive(found.runnable, trigger) ? { flow: found.runnable, trigger } : undefined;
}

async function planSchedule(
  row: TriggerRecord,
  { flow, trigger }: Found,
  { from, to, now, max }: { from: number; to: number; now: number; max: number },
  parts: Pick<InputParts, 'environment' | 'host'>,
): Promise<PlannedSchedule | undefined> {
  const { backfill, nextAt } = stateOf(row);
  const first = backfill ? backfill.previousNextAt : nextAt;
  const after = Math.max(from - 1, now, (first ?? 0) - 1);
  try {
    const found = await collectDates(trigger, { after, before: to, max }, scheduleContext(flow, parts));
    if (!found || found.dates.length === 0) return undefined;
    const { dates, coveredUntil } = found;
    return {
      trigger,
      timeZone: typeof trigger.timezone === 'string' ? trigger.timezone : serverZone,
      dates,
      coveredUntil,
      rate: coveredUntil < to ? dates.length / Math.max(1, coveredUntil - after) : 0,
      isHeld: backfill !== undefined,
    };
  } catch {
    // A schedule that cannot tell its dates plans nothing; its flow shows why.
    return undefined;
  }
}

/** The schedule as the forecast needs it. */
export const forecastTrigger = ({ trigger, dates }: PlannedSchedule) => ({
  id: trigger.id,
  dates,
  allowConcurrent: trigger.allowConcurrent === true,
  recovery: recoveryOf(trigger),
});
