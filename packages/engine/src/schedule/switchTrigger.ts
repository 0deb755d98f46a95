import type { Label, TriggerDefinition } from '@millrace/contract';
import { AppError } from '@millrace/contract';
import { newProgress } from './backfillProgress.ts';
import { hasUnrenderedDates, type ScheduleDates, scheduleDates } from './scheduleDates.ts';
import { recoveryOf, type ScheduleContext } from './scheduleTrigger.ts';
import { type Backfill, type TriggerState, withNext } from './triggerState.ts';

/** [E340] A disabled trigger has no next date. */
export const disableTrigger = (state: TriggerState): TriggerState =>
  withNext({ ...state, disabled: true }, undefined);

/** [E341] An enabled schedule starts with its last date when missed dates recover as LAST, else its next. */
export function enableTrigger(
  trigger: TriggerDefinition,
  state: TriggerState,
  now: number,
  context: Pick<ScheduleContext, 'serverZone' | 'defaultRecovery'>,
): TriggerState {
  const dates = scheduleDates(trigger, context.serverZone);
  const enabled = { ...state, disabled: false };
  if (!dates) return withNext(enabled, now);
  const last = recoveryOf(trigger, context.defaultRecovery) === 'LAST' ? dates.before(now + 1) : undefined;
  const next = last ?? dates.after(now);
  if (!state.backfill) return withNext(enabled, next);
  // The backfill resumes at its current date; the schedule continues after it like any enabled schedule.
  const { previousNextAt: _before, ...rest } = state.backfill;
  const backfill = { ...resumeAt(rest, now), ...(next !== undefined && { previousNextAt: next }) };
  const current = backfill.paused ? undefined : dates.after(backfill.current - 1);
  return withNext({ ...enabled, backfill }, current);
}

export interface BackfillRequest {
  readonly start: number;
  readonly end?: number;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly labels?: readonly Label[];
}

/** [E331] Starts a backfill at its first date; the schedule itself waits until the backfill has finished. */
export function startBackfill(
  trigger: TriggerDefinition,
  state: TriggerState,
  request: BackfillRequest,
  now: number,
  serverZone: string,
): TriggerState {
  const dates = requireDates(trigger, serverZone);
  const end = request.end ?? now;
  if (request.start > end) throw new AppError('illegal-argument', 'A backfill cannot start after its end');
  const first = dates.after(request.start - 1);
  if (first === undefined || first > end) return state;
  const previous = state.backfill ? state.backfill.previousNextAt : state.nextAt;
  const { inputs, labels } = request;
  return withNext(
    {
      ...state,
      backfill: {
        start: request.start,
        end,
        current: request.start,
        paused: false,
        ...(inputs && { inputs }),
        ...(labels && { labels }),
        ...(previous !== undefined && { previousNextAt: previous }),
        ...(!hasUnrenderedDates(trigger) && {
          progress: newProgress(dates, { start: request.start, end }, now),
        }),
      },
    },
    first,
  );
}

/** [E332] A paused backfill has no next date; it resumes at its current date. */
export function pauseBackfill(
  state: TriggerState,
  paused: boolean,
  dates: ScheduleDates,
  now: number,
): TriggerState {
  const { backfill } = state;
  if (!backfill) throw new AppError('bad-request', 'The trigger has no backfill');
  const next = paused ? undefined : dates.after(backfill.current - 1);
  const changed = paused ? backfill : resumeAt(backfill, now);
  return withNext({ ...state, backfill: { ...changed, paused } }, next);
}

/** The time that a backfill stood still does not count for its pace. */
function resumeAt(backfill: Backfill, now: number): Backfill {
  return backfill.progress ? { ...backfill, progress: { ...backfill.progress, movedAt: now } } : backfill;
}

export function deleteBackfill(state: TriggerState): TriggerState {
  const { backfill, ...rest } = state;
  if (!backfill) throw new AppError('bad-request', 'The trigger has no backfill');
  return withNext(rest, backfill.previousNextAt);
}

export function requireDates(trigger: TriggerDefinition, serverZone: string): ScheduleDates {
  const dates = scheduleDates(trigger, serverZone);
  if (!dates) throw new AppError('illegal-argument', `The trigger "${trigger.id}" is not a schedule`);
  return dates;
}
