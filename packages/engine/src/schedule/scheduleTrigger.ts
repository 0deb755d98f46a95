import type { Label, StateType, TriggerDefinition } from '@millrace/contract';
import type { ConditionContext } from '../conditions/context.ts';
import { conditionsOfTrigger } from '../conditions/evaluateCondition.ts';
import { readDuration } from '../duration.ts';
import { type BackfillProgress, moveProgress } from './backfillProgress.ts';
import { formatInZone } from './isoDate.ts';
import { type ScheduleDates, scheduleDates } from './scheduleDates.ts';
import { type TriggerState, withNext } from './triggerState.ts';
import { findValidDate, holdsAt } from './validDates.ts';

export interface ScheduleContext extends ConditionContext {
  /** The zone id of triggers that name none. */
  readonly serverZone: string;
  readonly defaultRecovery?: Recovery;
}

export type Recovery = 'ALL' | 'LAST' | 'NONE';

/** An execution to start. `variables` is the `trigger` variable of its expressions. */
export interface Firing {
  readonly date: number;
  readonly variables: { readonly date: string; readonly next?: string; readonly previous?: string };
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly labels?: readonly Label[];
}

export interface ScheduleDecision {
  /** The state to store; the caller adds the id of the execution that it starts. */
  readonly state: TriggerState;
  readonly fire?: Firing;
  /** The conditions could not be evaluated: the caller creates a failed execution to make it visible. */
  readonly failure?: { readonly date: number; readonly error: unknown };
}

/** [E320] Decides about one schedule at one moment: start an execution or not, and which date comes next. */
export async function evaluateSchedule(
  trigger: TriggerDefinition,
  state: TriggerState,
  now: number,
  context: ScheduleContext,
): Promise<ScheduleDecision> {
  const dates = scheduleDates(trigger, context.serverZone);
  if (!dates || !isDue(trigger, state, now)) return { state };
  const date = skipLate(trigger, state, dates, now);
  if (date === undefined || date > now + tolerance) return { state: withNext(state, date) };
  const moved = { ...advance(countDate(state, now), date, dates), evaluatedAt: date };
  const conditions = conditionsOfTrigger(trigger);
  try {
    if (!(await holdsAt(date, dates, conditions, context))) return { state: moved };
    const next = await findValidDate(dates, date, 'after', conditions, context);
    const previous = await findValidDate(dates, date, 'before', conditions, context);
    const show = (at: number): string => formatInZone(at, dates.zone);
    return {
      state: moved,
      fire: {
        date,
        variables: {
          date: show(date),
          ...(next !== undefined && { next: show(next) }),
          ...(previous !== undefined && { previous: show(previous) }),
        },
        ...(state.backfill?.inputs && { inputs: state.backfill.inputs }),
        ...(state.backfill?.labels && { labels: state.backfill.labels }),
      },
    };
  } catch (error) {
    return { state: moved, failure: { date, error } };
  }
}

/** A date further ahead than this is not due yet, even with the clock skew between two servers. */
const tolerance = 1000;

const isDue = (trigger: TriggerDefinition, state: TriggerState, now: number): boolean =>
  !state.disabled &&
  (state.executionId === undefined || trigger.allowConcurrent === true) &&
  state.backfill?.paused !== true &&
  state.nextAt !== undefined &&
  state.nextAt <= now + tolerance;

/** [E323] Dates older than `lateMaximumDelay` are skipped, except in a backfill. */
function skipLate(
  trigger: TriggerDefinition,
  state: TriggerState,
  dates: ScheduleDates,
  now: number,
): number | undefined {
  const delay = readDuration(trigger.lateMaximumDelay);
  if (state.backfill || delay === undefined || state.nextAt === undefined) return state.nextAt;
  return state.nextAt < now - delay ? dates.after(now - delay - 1) : state.nextAt;
}

/** [E328] Moves a schedule whose dates were just rendered to the first of them that is not before its next date. */
export function settleDates(
  trigger: TriggerDefinition,
  state: TriggerState,
  serverZone: string,
): TriggerState {
  const dates = scheduleDates(trigger, serverZone);
  return !dates || state.nextAt === undefined ? state : advance(state, state.nextAt - 1, dates);
}

/** [E330] A backfill runs its own dates; then the schedule resumes at its previous next date. */
function advance(state: TriggerState, date: number, dates: ScheduleDates): TriggerState {
  const next = dates.after(date);
  const { backfill, ...rest } = state;
  if (!backfill) return withNext(state, next);
  if (next === undefined || next > backfill.end) return withNext(rest, backfill.previousNextAt);
  return withNext({ ...rest, backfill: { ...backfill, current: next } }, next);
}

/** Counts the date that a backfill handles. */
const countDate = (state: TriggerState, now: number): TriggerState =>
  withProgress(state, (progress) => moveProgress(progress, now));

/** Counts an execution that a backfill starts. */
export const countExecution = (state: TriggerState): TriggerState =>
  withProgress(state, (progress) => ({ ...progress, executions: progress.executions + 1 }));

function withProgress(
  state: TriggerState,
  change: (progress: BackfillProgress) => BackfillProgress,
): TriggerState {
  const { backfill } = state;
  if (!backfill?.progress) return state;
  return { ...state, backfill: { ...backfill, progress: change(backfill.progress) } };
}

/** [E321] The state of a new trigger, or of a trigger whose definition has changed. */
export function newTriggerState(
  trigger: TriggerDefinition,
  now: number,
  serverZone: string,
  disabled = false,
): TriggerState {
  const dates = scheduleDates(trigger, serverZone);
  return withNext({ disabled, evaluatedAt: now }, disabled ? undefined : dates ? dates.after(now) : now);
}

export const recoveryOf = (trigger: TriggerDefinition, fallback: Recovery = 'ALL'): Recovery => {
  const written = trigger.recoverMissedSchedules;
  return written === 'ALL' || written === 'LAST' || written === 'NONE' ? written : fallback;
};

/** [E322] Handles dates that passed while no scheduler ran: all of them run, only the last, or none. */
export function recoverMissed(
  trigger: TriggerDefinition,
  state: TriggerState,
  now: number,
  context: Pick<ScheduleContext, 'serverZone' | 'defaultRecovery'>,
): TriggerState {
  const dates = scheduleDates(trigger, context.serverZone);
  if (!dates || state.backfill || state.disabled || state.nextAt === undefined || state.nextAt > now)
    return state;
  const recovery = recoveryOf(trigger, context.defaultRecovery);
  if (recovery === 'ALL') return state;
  const last = recovery === 'LAST' ? dates.before(now + 1) : undefined;
  const isMissed = last !== undefined && last > (state.evaluatedAt ?? Number.NEGATIVE_INFINITY);
  return withNext(state, isMissed ? last : dates.after(now));
}

/** [E324] Unlocks a trigger whose execution ended; states in `stopAfter` disable it. */
export function releaseTrigger(
  trigger: TriggerDefinition,
  state: TriggerState,
  ended: StateType,
  now: number,
  context: Pick<ScheduleContext, 'serverZone' | 'defaultRecovery'>,
): TriggerState {
  const { executionId: _ended, ...free } = state;
  if (trigger.stopAfter?.includes(ended)) return withNext({ ...free, disabled: true }, undefined);
  return recoverMissed(trigger, free, now, context);
}

/** Clocks of two machines differ by less than this. */
export const clockSkewMs = 60_000;

/**
 * [E355] Corrects a schedule whose next date was set by a clock that was ahead: it lies after the next date
 * from now. Dates that already have an execution are skipped later, because each date has at most one
 * execution.
 */
export function correctClock(
  trigger: TriggerDefinition,
  state: TriggerState,
  now: number,
  serverZone: string,
): TriggerState {
  const { nextAt, evaluatedAt } = state;
  const dates = scheduleDates(trigger, serverZone);
  if (!dates || state.backfill || state.disabled) return state;
  const real = dates.after(now + clockSkewMs);
  const isLate = real !== undefined && (nextAt === undefined || nextAt > real);
  if (!isLate) return state;
  const evaluated = evaluatedAt !== undefined && evaluatedAt > now ? { evaluatedAt: now } : {};
  return withNext({ ...state, ...evaluated }, dates.after(now));
}
