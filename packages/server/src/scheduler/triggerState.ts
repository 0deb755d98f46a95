import { type Backfill, type TriggerState, triggerTypeOf } from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';

/** The state that the engine decides on, from a stored row. */
export function stateOf(row: TriggerRecord): TriggerState {
  const { evaluatedAt, nextAt, executionId, disabled, memo } = row;
  return {
    ...(evaluatedAt === undefined ? {} : { evaluatedAt }),
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(executionId === undefined ? {} : { executionId }),
    disabled,
    // `as`: written by `withState`.
    ...(memo?.backfill === undefined ? {} : { backfill: memo.backfill as Backfill }),
  };
}

/** The row in another state. Its date of change always rises, because that is what guards it. */
export function withState(row: TriggerRecord, state: TriggerState, now: number): TriggerRecord {
  const { evaluatedAt: _, nextAt: __, executionId: ___, memo, ...rest } = row;
  const { backfill, ...columns } = state;
  const { backfill: ____, backfillStartedAt, ...remembered } = memo ?? {};
  const kept = backfill ? { ...remembered, backfillStartedAt, backfill } : remembered;
  return {
    ...rest,
    ...columns,
    updatedAt: Math.max(now, row.updatedAt + 1),
    ...(Object.keys(kept).length > 0 ? { memo: kept } : {}),
  };
}

/** The row without its claim: the next write of a running evaluation fails. */
export function withoutEvaluation(row: TriggerRecord): TriggerRecord {
  const { evaluationStartedAt: _, memo, ...rest } = row;
  const { workerId: __, ...remembered } = memo ?? {};
  return { ...rest, ...(Object.keys(remembered).length > 0 ? { memo: remembered } : {}) };
}

/** Since when a trigger is due. A date of a backfill lies in the past: it is due once the date before it was handled. */
export const dueSince = ({ nextAt, updatedAt, memo }: TriggerRecord): number | undefined =>
  nextAt === undefined || memo?.backfill === undefined ? nextAt : Math.max(nextAt, updatedAt);

/** Workers evaluate polling and realtime triggers; the engine knows the rules of all others. */
export const isEvaluated = ({ type }: { readonly type?: string | undefined }): boolean =>
  type !== undefined && triggerTypeOf(type) === undefined;

/** The start time of a row's backfill; it distinguishes two backfills over the same dates. */
export const backfillStartedAt = (row: TriggerRecord): unknown => row.memo?.backfillStartedAt;

/** A polling or realtime trigger starts again at once, unless it is disabled. */
export const againAtOnce = (row: TriggerRecord, state: TriggerState, now: number): TriggerState =>
  isEvaluated(row) && !state.disabled ? { ...state, nextAt: now } : state;
