import type { BackfillProgress as ProgressView, Trigger, TriggerDefinition } from '@millrace/contract';
import { type Backfill, type BackfillProgress, remainingMs } from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';
import { stateOf } from '../scheduler/triggerState.ts';
import { unreadable } from '../unreadableRow.ts';

/** The view of a trigger's row on the API. */
export function presentTrigger(
  row: TriggerRecord,
  definition: TriggerDefinition | undefined,
  now: number,
): Trigger {
  const { tenantId, namespace, flowId, triggerId, evaluationStartedAt } = row;
  const { evaluatedAt, executionId, disabled, backfill, ...state } = stateOf(row);
  // While a worker evaluates the trigger, the date is the end of its lease.
  const isWaiting = evaluationStartedAt === undefined && row.problem === undefined;
  const nextAt = isWaiting ? state.nextAt : undefined;
  const workerId = row.memo?.workerId;
  const exception = row.problem === undefined ? undefined : unreadable('trigger', triggerId, row.problem);
  return {
    tenantId,
    namespace,
    flowId,
    triggerId,
    ...(evaluatedAt === undefined ? {} : { date: iso(evaluatedAt) }),
    ...(nextAt === undefined ? {} : { nextExecutionDate: iso(nextAt) }),
    ...(backfill ? { backfill: presentBackfill(backfill, now, !disabled) } : {}),
    ...(definition?.stopAfter ? { stopAfter: definition.stopAfter } : {}),
    disabled,
    ...(executionId === undefined ? {} : { executionId }),
    updatedDate: iso(row.updatedAt),
    ...(evaluationStartedAt === undefined ? {} : { evaluateRunningDate: iso(evaluationStartedAt) }),
    ...(typeof workerId === 'string' ? { workerId } : {}),
    ...(exception === undefined ? {} : { exception }),
  };
}

function presentBackfill(
  backfill: Backfill,
  now: number,
  isEnabled: boolean,
): NonNullable<Trigger['backfill']> {
  const { start, end, current, paused, inputs, labels, previousNextAt, progress } = backfill;
  return {
    start: iso(start),
    end: iso(end),
    currentDate: iso(current),
    paused,
    ...(inputs ? { inputs: { ...inputs } } : {}),
    ...(labels ? { labels: [...labels] } : {}),
    ...(previousNextAt === undefined ? {} : { previousNextExecutionDate: iso(previousNextAt) }),
    ...(progress ? { progress: presentProgress(progress, now, isEnabled && !paused) } : {}),
  };
}

function presentProgress(progress: BackfillProgress, now: number, isMoving: boolean): ProgressView {
  const { done, total, executions, msPerDate, isEstimate = false } = progress;
  const remaining = remainingMs(progress, now, isMoving);
  return {
    done,
    // An estimated number of dates can be too low.
    total: Math.max(total, done),
    isEstimate,
    executions,
    ...(msPerDate === undefined ? {} : { msPerDate: Math.round(msPerDate) }),
    ...(remaining === undefined ? {} : { remainingMs: remaining }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
